import Cryptography

/// A credential that the other side may hold: one candidate for what its identifier named.
public struct PeerCredential: Hashable, Sendable {
    /// CRED_x: one encoded CBOR item.
    public let credential: [UInt8]
    /// The key in it.
    public let key: PublicKey
    /// What the key is for, where that is known; a method of the other kind is then refused.
    public let use: KeyUse?

    /// Most candidates tried for one identifier: a `kid` is not unique, but the work a stranger can
    /// cause is bounded.
    public static let maximumCandidates = 4

    public init(credential: [UInt8], key: PublicKey, use: KeyUse? = nil) {
        self.credential = credential
        self.key = key
        self.use = use
    }

    /// Whether the key can sign (or agree) in this suite.
    func fits(_ suite: CipherSuite, signing: Bool) -> Bool {
        switch (signing, use) {
        case (true, .agree), (false, .sign): false
        case (true, .sign), (true, .none): key.curve == suite.signatureCurve
        case (false, .agree), (false, .none): key.curve == suite.agreementCurve
        }
    }
}
