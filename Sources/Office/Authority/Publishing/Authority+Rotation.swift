import Cryptography
import SiteData

/// New keys for roles. Whose keys count is signed by the role that delegates: nothing changes before that is done.
extension Authority {
    /// What a role's keys shall be.
    public struct Rotation: Sendable {
        /// Keys that come; their private halves are elsewhere.
        public var added: [PublicKey] = []
        /// Keys that go, by the beginning of their identifiers.
        public var removed: [String] = []
        /// All but the newest go.
        public var dropsOld = false
        /// How many must sign; nil: as many as before.
        public var threshold: Int?
        /// For how long what the role signs counts; nil: as long as before.
        public var validSeconds: Int64?

        /// Nothing that is said otherwise: a new key is made here, beside those that there are.
        public init() {}

        var makesKey: Bool { added.isEmpty && removed.isEmpty && !dropsOld && threshold == nil && validSeconds == nil }
    }

    /// Changes the keys of a role.
    /// - Returns: what was published; nil if the delegating role has to be drafted and signed by keys that are not here.
    public func rotate(_ role: RepositoryRole, _ rotation: Rotation, now: Int64) throws(AuthorityError) -> PublishedRepository? {
        _ = try settledRepository(now: now)
        let known = try database.roleKeys(role)
        var coming = rotation.added.map { RoleKey(role: role, key: $0, file: nil, since: now, until: nil) }
        if rotation.makesKey {
            // A key that is made here must be one that is kept here.
            guard !role.isOffline || known.contains(where: { $0.file != nil }) else { throw .repository(.keysMissing(role)) }
            coming.append(try makeKey(of: role, number: known.count + 1, now: now))
        }
        let going = try leaving(known, role, rotation)
        let (threshold, validSeconds) = try database.role(role)
        let staying = known.filter { key in key.until == nil && !going.contains(key) } + coming
        try Self.check(role, staying, threshold: rotation.threshold ?? threshold)
        try database.transaction { () throws(AuthorityError) in
            for key in going { try database.add(RoleKey(role: role, key: key.key, file: key.file, since: key.since, until: now)) }
            for key in coming { try database.add(key) }
            try database.set(role, threshold: rotation.threshold ?? threshold, validSeconds: rotation.validSeconds ?? validSeconds)
        }
        return try renew(role.delegator, now: now) ? try publishIfSigned(now: now) : nil
    }

    private func leaving(_ known: [RoleKey], _ role: RepositoryRole, _ rotation: Rotation) throws(AuthorityError) -> [RoleKey] {
        let present = known.filter { $0.until == nil }
        var going = rotation.dropsOld ? Array(present.dropLast()) : []
        for name in rotation.removed {
            let named = present.filter { $0.identifier.hasPrefix(name.lowercased()) }
            guard named.count == 1 else { throw .repository(.keyUnknown(role, keyIdentifier: name)) }
            if !going.contains(named[0]) { going.append(named[0]) }
        }
        return going
    }

    /// Begins a new epoch: versions of people count anew, whatever a thief of the key of `people` has counted to.
    /// - Returns: as `rotate`.
    public func beginEpoch(now: Int64) throws(AuthorityError) -> PublishedRepository? {
        let (place, epoch) = try settledRepository(now: now)
        try database.transaction { () throws(AuthorityError) in try database.setRepository(path: place.path, epoch: epoch + 1) }
        return try renew(.targets, now: now) ? try publishIfSigned(now: now) : nil
    }
}
