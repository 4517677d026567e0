/// A credential that the site data and the clock allow here and now, for the command that was asked about. It has no key: what
/// a proof is checked with follows from what was presented.
public struct VerifiedCredential: Hashable, Sendable {
    /// The person or account.
    public let subject: String
    /// Which credential it is.
    public let kind: Kind
    /// Whether the key is released only after user verification.
    public let userVerification: Bool
    /// The generation of the site data that verified it (requirement V9).
    public let generation: UInt64

    /// Which credential was verified.
    public enum Kind: Hashable, Sendable {
        /// A token of an issuer.
        case token(TokenIdentifier, issuer: String)
        /// An enrolled key, by its thumbprint.
        case enrolled(thumbprint: [UInt8])
        /// A UID-only card, by what stands for its number.
        case uidOnlyCard(identifier: [UInt8])
    }

    /// 32 bytes that name the credential in cooldowns and the journal: the token identifier, the
    /// thumbprint of the key, or what stands for a card's number.
    public var identifier: [UInt8] {
        switch kind {
        case .token(let identifier, _): identifier.bytes
        case .enrolled(let thumbprint): thumbprint
        case .uidOnlyCard(let identifier): identifier
        }
    }

    /// How much it takes to pretend to have it.
    public var assurance: Assurance {
        switch kind {
        case .token, .enrolled: .proven
        case .uidOnlyCard: .low
        }
    }
}
