import Encoding

/// The keys of the four roles.
public struct RootMetadata: Hashable, Sendable {
    /// Version and expiry.
    public let header: MetadataHeader
    /// Whether files are called by version and hash (TUF specification, 6.2).
    public let hasConsistentSnapshots: Bool
    /// All keys by their identifiers.
    public let keys: KeyRing
    private let roles: [RoleName: RoleKeys]

    /// Takes the signed part of a file apart; whether enough keys have signed it is another question.
    public init(_ metadata: SignedMetadata) throws(MetadataFault) {
        let signed = metadata.signed
        header = try MetadataHeader(signed, of: .root)
        hasConsistentSnapshots = try signed.flag("consistent_snapshot")
        keys = try KeyRing(try signed.fields("keys"))
        let fields = try signed.fields("roles")
        var roles: [RoleName: RoleKeys] = [:]
        for role in [RoleName.root, .timestamp, .snapshot, .targets] {
            roles[role] = try RoleKeys(try fields.fields(role.name.text))
        }
        self.roles = roles
    }

    /// Whose signatures one of the four roles needs; nil for any other.
    public func keys(of role: RoleName) -> RoleKeys? { roles[role] }
}
