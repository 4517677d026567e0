/// One role that may describe some targets in the place of another one.
public struct Delegation: Hashable, Sendable {
    /// The role.
    public let role: RoleName
    /// Whose signatures it needs.
    public let keys: RoleKeys
    /// Whether nobody after it is asked about a target that it may describe.
    public let isTerminating: Bool
    /// Which targets it may describe: those whose path fits one of these. None where none is given.
    public let patterns: [PathPattern]

    init(_ fields: MetadataFields) throws(MetadataFault) {
        role = try RoleName(delegated: try fields.string("name"))
        keys = try RoleKeys(fields)
        isTerminating = try fields.flag("terminating")
        // Hash bins: no office delegates so, and a delegation that is not understood is refused as a whole.
        guard !fields.has("path_hash_prefixes") else { throw .unknownDelegation }
        patterns = try fields.has("paths")
            ? fields.strings("paths", atMost: MetadataBounds.patterns, length: MetadataBounds.pathLength).map(PathPattern.init) : []
    }

    /// Whether it may describe a target.
    public func covers(_ path: TargetPath) -> Bool { patterns.contains { $0.fits(path) } }
}
