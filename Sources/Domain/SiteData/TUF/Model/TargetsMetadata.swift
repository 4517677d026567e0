import Encoding

/// Describes targets, and names roles that may describe others.
public struct TargetsMetadata: Hashable, Sendable {
    /// Version and expiry.
    public let header: MetadataHeader
    /// Targets by their paths as written; whether a path is safe is asked of the one that is wanted.
    public let targets: [ExactText: TargetFile]
    /// Roles that may describe targets too, in the order in which they are asked.
    public let delegations: [Delegation]
    /// The keys of those roles.
    public let keys: KeyRing

    /// Takes the signed part of a file apart; whether enough keys have signed it is another question.
    public init(_ metadata: SignedMetadata) throws(MetadataFault) {
        let signed = metadata.signed
        header = try MetadataHeader(signed, of: .targets)
        let fields = try signed.fields("targets")
        var targets: [ExactText: TargetFile] = [:]
        for member in fields.object {
            targets[ExactText(member.key)] = try TargetFile(try MetadataFields(member.value, fields.place(member.key)))
        }
        self.targets = targets
        let delegated = try Self.delegations(signed)
        keys = delegated.0
        delegations = delegated.1
    }

    private static func delegations(_ signed: MetadataFields) throws(MetadataFault) -> (KeyRing, [Delegation]) {
        guard signed.has("delegations") else { return (KeyRing(), []) }
        let fields = try signed.fields("delegations")
        // Hash bins in short form (TAP 15) are not part of the specification.
        guard !fields.has("succinct_roles") else { throw .unknownDelegation }
        var delegations: [Delegation] = []
        var names: Set<RoleName> = []
        for item in try fields.array("roles", atMost: MetadataBounds.delegations) {
            let delegation = try Delegation(try MetadataFields(item, fields.place("roles")))
            guard names.insert(delegation.role).inserted else { throw .duplicateDelegation(role: delegation.role.description) }
            delegations.append(delegation)
        }
        return (try KeyRing(try fields.fields("keys")), delegations)
    }

    /// What it says about a target itself; nil if it does not describe it.
    public func target(_ path: TargetPath) -> TargetFile? { targets[path.path] }

    /// Whose signatures a role needs that is delegated here; nil if it is not.
    public func keys(of role: RoleName) -> RoleKeys? { delegations.first { $0.role == role }?.keys }
}

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

/// What metadata says about a target.
public struct TargetFile: Hashable, Sendable {
    /// Its length in bytes.
    public let length: Int64
    /// Its hashes.
    public let hashes: FileHashes
    /// What the product says about it; nil if there is nothing.
    public let custom: JSONObject?

    init(_ fields: MetadataFields) throws(MetadataFault) {
        length = try fields.integer("length", from: 0)
        hashes = try FileHashes(try fields.fields("hashes"))
        custom = fields.has("custom") ? try fields.fields("custom").object : nil
    }
}
