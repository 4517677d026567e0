import Cryptography
import Encoding
import SiteData

/// After an old backup was restored the folder knows more than the database. What keys offline have signed meanwhile is
/// taken from there, if gates would take it: they have it, and would refuse what is older.
extension Authority {
    /// The repository, when it was made sure that nobody is let in again by what is drafted, signed or accepted next.
    ///
    /// Whatever takes something from the folder begins here: what was taken cannot be held against the office any more.
    func settledRepository(now: Int64) throws(AuthorityError) -> (folder: RepositoryFolder, epoch: Int64) {
        let place = try repository().folder
        try settle(nil, place, now: now)
        _ = try adopt(from: place, now: now)
        return try repository()
    }

    /// For those who have settled which counts, and for nobody else.
    /// - Returns: the roles of which the folder had something newer.
    func adopt(from place: RepositoryFolder, now: Int64) throws(AuthorityError) -> [RepositoryRole] {
        let isRootNew = try adoptRoots(from: place, now: now), areTargetsNew = try adoptTargets(from: place, now: now)
        return (isRootNew ? [.root] : []) + (areTargetsNew ? [.targets] : [])
    }

    private func adoptRoots(from place: RepositoryFolder, now: Int64) throws(AuthorityError) -> Bool {
        var isNew = false
        while let known = try database.metadata(.root), let version = try signed(.root)?.version,
              let next = try place.metadata("\(version + 1).root.json"), let signed = MetadataFile.signed(in: next), signed.version == version + 1,
              Self.isSigned(next, .root, by: known), Self.isSigned(next, .root, by: next) {
            try database.transaction { () throws(AuthorityError) in
                try database.keep(.root, version: version + 1, next)
                for role in RepositoryRole.allCases where role.delegator == .root { try adoptKeys(of: role, from: signed, now: now) }
            }
            isNew = true
        }
        return isNew
    }

    private func adoptTargets(from place: RepositoryFolder, now: Int64) throws(AuthorityError) -> Bool {
        guard let newest = try newestSigned(.targets, in: place)?.bytes, let signed = MetadataFile.signed(in: newest),
              try signed.version > self.signed(.targets)?.version ?? 0,
              let file = SignedPart.File(SignedPart.siteData, signed["targets"]?[SignedPart.siteData]),
              let data = try place.read("targets/\(file.fileName)", limit: Draft.longest), SHA256.hash(data) == file.hash else {
            return false
        }
        try database.transaction { () throws(AuthorityError) in
            try database.keep(.targets, version: signed.version, newest)
            try database.keep(siteData: data, version: SiteContents.version(in: data))
            if let epoch = SiteContents.epoch(in: data) { try database.setRepository(path: place.path, epoch: Int64(clamping: epoch)) }
            try adoptKeys(of: .people, from: signed, now: now)
        }
        return true
    }

    /// The keys that were signed are the ones that are wanted. Their files are here, if they were made here before the backup.
    func adoptKeys(of role: RepositoryRole, from signed: JSONObject, now: Int64) throws(AuthorityError) {
        let wanted = signed.keys(of: role), known = try database.roleKeys(role)
        for key in known where key.until == nil && !wanted.identifiers.contains(key.identifier) {
            try database.add(RoleKey(role: role, key: key.key, file: key.file, since: key.since, until: now))
        }
        for identifier in wanted.identifiers where !known.contains(where: { $0.identifier == identifier && $0.until == nil }) {
            guard let key = signed.key(identifier, of: role) else { continue }
            try database.add(RoleKey(role: role, key: key, file: try fileOfKey(key, role, known.count), since: now, until: nil))
        }
        try database.set(role, threshold: wanted.threshold, validSeconds: database.role(role).validSeconds)
    }

    /// A key file that the backup has not forgotten, because files of keys are never written over.
    private func fileOfKey(_ key: PublicKey, _ role: RepositoryRole, _ count: Int) throws(AuthorityError) -> String? {
        for number in 1...(count + 8) {
            let name = "\(Self.rolesFolder)/\(role.rawValue)-\(number).key"
            if folder.has(name), try folder.key(name, role: role.keyRole).publicKey == key { return name }
        }
        return nil
    }

    /// Whether the keys that a file names for a role have signed another one, as many as must.
    static func isSigned(_ file: [UInt8], _ role: RepositoryRole, by delegator: [UInt8]) -> Bool {
        guard let metadata = try? SignedMetadata(file), let by = try? SignedMetadata(delegator),
              let count = try? SignatureCount(of: metadata, for: role.roleName, by: by) else { return false }
        return count.isReached
    }
}

extension JSONObject {
    /// The key of that name which a root, or the role that delegates to people, has.
    func key(_ identifier: String, of role: RepositoryRole) -> PublicKey? {
        let keys = role.delegator == .root ? self["keys"] : self["delegations"]?["keys"]
        guard let text = keys?[identifier]?["keyval"]?["public"]?.string, let bytes = try? Hex.decode(text) else { return nil }
        return try? PublicKey(curve: .ed25519, x: bytes, y: nil)
    }
}
