import Cryptography
import Encoding

/// A key of a role.
public struct RoleKey: Hashable, Sendable {
    /// The role.
    public let role: RepositoryRole
    /// The key; Ed25519.
    public let key: PublicKey
    /// The key file in the authority's folder; nil if the private half is elsewhere.
    public let file: String?
    /// Since when the role has it, UNIX seconds.
    public let since: Int64
    /// Since when it is not wanted any more; nil while it is.
    public let until: Int64?

    /// How metadata names it: the SHA-256 of the key in its signed form (TUF specification, 4.2.3).
    public var identifier: String { key.metadataIdentifier }
}

extension PublicKey {
    /// The key as metadata has it.
    var metadataKey: JSON {
        ["keytype": "ed25519", "scheme": "ed25519", "keyval": ["public": .string(Hex.encode(x))]]
    }

    /// The name that metadata gives the key.
    public var metadataIdentifier: String {
        guard let form = metadataKey.signedForm else { preconditionFailure("a key has no numbers") }
        return Hex.encode(SHA256.hash(form))
    }
}
