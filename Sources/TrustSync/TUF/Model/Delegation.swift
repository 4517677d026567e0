/// One role that may describe some targets in the place of another one.
public struct Delegation: Hashable, Sendable {
    /// The role.
    public let role: RoleName
    /// Whose signatures it needs.
    public let keys: RoleKeys
    /// Whether nobody after it is asked about a target that it may describe.
    public let isTerminating: Bool
    /// Which targets it may describe.
    public let scope: Scope

    /// Which targets a delegated role may describe.
    public enum Scope: Hashable, Sendable {
        /// Those whose path fits one of these.
        case patterns([PathPattern])
        /// Those of whose path the SHA-256 in lower case begins with one of these.
        case hashPrefixes([String])
        /// None: neither was given.
        case nothing
    }

    init(_ fields: MetadataFields) throws(MetadataFault) {
        role = try RoleName(delegated: try fields.string("name"))
        keys = try RoleKeys(fields)
        isTerminating = try fields.flag("terminating")
        scope = try Self.scope(fields)
    }

    private static func scope(_ fields: MetadataFields) throws(MetadataFault) -> Scope {
        switch (fields.has("paths"), fields.has("path_hash_prefixes")) {
        case (true, true): throw .field(fields.place("path_hash_prefixes"))
        case (true, false): .patterns(try strings("paths", fields).map(PathPattern.init))
        case (false, true): .hashPrefixes(try strings("path_hash_prefixes", fields))
        case (false, false): .nothing
        }
    }

    private static func strings(_ key: String, _ fields: MetadataFields) throws(MetadataFault) -> [String] {
        try fields.strings(key, atMost: MetadataBounds.patterns, length: MetadataBounds.pathLength)
    }

    /// Whether it may describe a target.
    public func covers(_ path: TargetPath) -> Bool {
        switch scope {
        case .patterns(let patterns): patterns.contains { $0.fits(path) }
        case .hashPrefixes(let prefixes): covers(digest: path.digest, prefixes)
        case .nothing: false
        }
    }

    private func covers(digest: String, _ prefixes: [String]) -> Bool {
        prefixes.contains { digest.utf8.starts(with: $0.utf8) }
    }
}
