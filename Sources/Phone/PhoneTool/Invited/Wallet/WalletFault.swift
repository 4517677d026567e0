/// Why a wallet, or something in it, cannot be used.
public enum WalletFault: Error, Hashable, Sendable {
    /// Nothing says where wallets are: neither an option, nor XDG_DATA_HOME, nor HOME.
    case noPlace
    /// Others than its owner may use the folder.
    case exposed(path: String)
    /// A file in it is not what was written there; the words name it.
    case damaged(path: String)
    /// Another program has this access at hand.
    case busy(name: String)
    /// There is nothing of that name, or of that site.
    case unknown(String)
    /// The name fits several.
    case several(String, [String])
    /// It waits for being redeemed.
    case notRedeemed(name: String)
    /// Another key than the given one was kept for this invitation.
    case otherKey(name: String)
    /// The key agrees, and a statement is signed.
    case keyAgrees(path: String)

    /// Stable code.
    public var code: String {
        switch self {
        case .noPlace: "wallet-place-unknown"
        case .exposed: "wallet-exposed"
        case .damaged: "wallet-damaged"
        case .busy: "wallet-busy"
        case .unknown: "access-unknown"
        case .several: "access-ambiguous"
        case .notRedeemed: "access-not-redeemed"
        case .otherKey: "access-other-key"
        case .keyAgrees: "key-cannot-sign"
        }
    }

    /// A sentence for people.
    public var message: String {
        switch self {
        case .noPlace: "Neither '--keys' nor XDG_DATA_HOME nor HOME says where the wallet is."
        case .exposed(let path): "\(path) is open to other users, and has keys; take it back with 'chmod 700'."
        case .damaged(let path): "\(path) is not what was written there; 'delete' takes the access out of the wallet."
        case .busy(let name): "Another program is at work on access \(name)."
        case .unknown(let name): "The wallet has nothing of the name '\(name)'; 'tapstile-phone list' shows what it has."
        case .several(let name, let names): "'\(name)' may be \(names.joined(separator: " or ")); '--access' takes one of them."
        case .notRedeemed(let name): "Access \(name) waits for being redeemed: 'tapstile-phone redeem --access \(name)'."
        case .otherKey(let name): "A first try at this invitation has kept another key, in access \(name); leave '--key' out, or delete that access."
        case .keyAgrees(let path): "\(path) is a key that agrees; an invitation wants one that signs."
        }
    }
}
