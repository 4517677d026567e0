/// The versions of roles below which a repository must not fall. A caller that keeps them somewhere beside the
/// files of metadata notices an old repository even when it has lost those.
public struct TrustedVersions: Hashable, Sendable {
    private var versions: [RoleName: Int64]

    /// No version of any role.
    public init() { versions = [:] }

    /// The version of a role; 0 when nothing is known of it.
    public subscript(role: RoleName) -> Int64 {
        get { versions[role] ?? 0 }
        set { versions[role] = newValue == 0 ? nil : newValue }
    }

    /// The roles that something is known of, the four first.
    public var roles: [RoleName] {
        versions.keys.sorted { left, right in
            left.isTopLevel == right.isTopLevel ? left.name.text.utf8.lexicographicallyPrecedes(right.name.text.utf8) : left.isTopLevel
        }
    }

    /// The same of some roles only.
    public func restricted(to roles: [RoleName]) -> TrustedVersions {
        var restricted = TrustedVersions()
        for role in roles { restricted[role] = self[role] }
        return restricted
    }

    /// Raises the version of a role that is lower.
    mutating func raise(_ role: RoleName, to version: Int64) {
        self[role] = max(self[role], version)
    }

    /// Raises what a timestamp knows of.
    mutating func raise(by timestamp: TimestampMetadata) {
        raise(.timestamp, to: timestamp.header.version)
        raise(.snapshot, to: timestamp.snapshot.version)
    }

    /// Raises what a snapshot knows of.
    mutating func raise(by snapshot: SnapshotMetadata) {
        raise(.snapshot, to: snapshot.header.version)
        for (role, file) in snapshot.roles { raise(role, to: file.version) }
    }

    /// Takes what a snapshot lists in the place of what was known of the roles that describe targets.
    mutating func list(_ snapshot: SnapshotMetadata) {
        forgetTargets()
        self[.snapshot] = snapshot.header.version
        for (role, file) in snapshot.roles { self[role] = file.version }
    }

    /// Forgets which versions there were of roles that describe targets: the keys were replaced by which they count.
    mutating func forgetTargets() {
        versions = versions.filter { [.root, .timestamp, .snapshot].contains($0.key) }
    }

    /// Forgets what two roles said whose keys were replaced, and with them what they said of all others.
    mutating func forgetAllButRoot() {
        versions = versions.filter { $0.key == .root }
    }
}
