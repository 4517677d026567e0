import Cryptography
import Encoding
import Files
import Service
import SiteData
import Threads

/// The site's repository (TUF): who signs what, and where it is.
extension Authority {
    /// The folder of keys that sign online.
    static let rolesFolder = "roles"

    /// Begins a repository: notes the roles with their keys, and makes the keys of those that sign online. With all keys here
    /// it is published at once; else the root is the first thing to be drafted and signed.
    /// - Returns: what was published; nil if the root has to be signed first.
    public func makeRepository(_ plan: RepositoryPlan, now: Int64) throws(AuthorityError) -> PublishedRepository? {
        let before = try database.repository()
        if let before, !plan.isReplacement {
            let isPublished = try RepositoryFolder(path: before.path).has("metadata/\(RepositoryFolder.timestamp)")
            throw .repository(isPublished ? .alreadyThere(path: before.path) : .begun(path: before.path))
        }
        let place = try newPlace(plan.path)
        // Roots of another line must not lie where gates look for the next one.
        guard try place.newestVersion(.root) == 0 else { throw .repository(.alreadyThere(path: plan.path)) }
        try folder.makeFolder(Self.rolesFolder)
        var keys: [RoleKey] = []
        for role in RepositoryRole.allCases {
            if role.isOffline, !plan.isTogether {
                keys += (plan.keys[role] ?? []).map { RoleKey(role: role, key: $0, file: nil, since: now, until: nil) }
            } else {
                keys.append(try makeKey(of: role, number: database.roleKeys(role).count + 1, now: now))
            }
        }
        for role in RepositoryRole.allCases { try Self.check(role, keys.filter { $0.role == role }, threshold: plan.thresholds[role] ?? 1) }
        try place.makeFolders()
        try database.transaction { () throws(AuthorityError) in
            try database.forgetRepository(now: now)
            for role in RepositoryRole.allCases {
                try database.set(role, threshold: plan.thresholds[role] ?? 1, validSeconds: plan.validSeconds[role] ?? role.usualSeconds)
            }
            for key in keys { try database.add(key) }
            // Gates that had people of the one before take no older epoch.
            try database.setRepository(path: place.path, epoch: (before?.epoch ?? 0) + 1)
        }
        return plan.isTogether ? try publish(now: now) : nil
    }

    /// A key in the authority's folder. One that is there is taken: a command that was interrupted goes on.
    func makeKey(of role: RepositoryRole, number: Int, now: Int64) throws(AuthorityError) -> RoleKey {
        let name = "\(Self.rolesFolder)/\(role.rawValue)-\(number).key"
        let file = try folder.keyMadeOnce(name, role: role.keyRole, use: .sign)
        return RoleKey(role: role, key: file.publicKey, file: name, since: now, until: nil)
    }

    /// Refuses a role for which nobody could sign.
    static func check(_ role: RepositoryRole, _ keys: [RoleKey], threshold: Int) throws(AuthorityError) {
        if keys.contains(where: { $0.key.curve != .ed25519 }) { throw .repository(.wrongCurve(role)) }
        let count = Set(keys.map(\.identifier)).count
        guard (1...max(1, count)).contains(threshold), count > 0 else {
            throw .repository(.thresholdTooHigh(role, threshold: threshold, keys: count))
        }
    }

    /// Makes a key pair for a role, to be kept away from here. The public half is written beside it.
    public static func makeRoleKey(_ role: RepositoryRole, at path: String) throws(AuthorityError) -> (publicPath: String, identifier: String) {
        let publicPath = (path.hasSuffix(".key") ? String(path.dropLast(4)) : path) + ".pub"
        for path in [path, publicPath] where RepositoryFolder.exists(path) { throw .repository(.fileThere(path: path)) }
        let file: KeyFile
        let texts: (secret: [UInt8], open: [UInt8])
        do throws(CryptographyError) {
            file = try KeyFile(role: role.keyRole, making: .sign)
            texts = (try file.text(), try file.publicFile.text())
        } catch {
            throw .cryptography(error)
        }
        do throws(SystemError) {
            try SmallFile.make(path, texts.secret, mode: 0o600)
            try SmallFile.make(publicPath, texts.open, mode: 0o644)
        } catch {
            throw .system(error)
        }
        return (publicPath, file.publicKey.metadataIdentifier)
    }

    /// The public key of a role in a file.
    public static func roleKey(_ role: RepositoryRole, at path: String) throws(AuthorityError) -> PublicKey {
        try AuthorityFolder.publicKey(at: path, role: role.keyRole)
    }

    /// The keys of all roles, those too that are not wanted any more.
    public func roleKeys() throws(AuthorityError) -> [RoleKey] { try database.roleKeys() }

    /// Whether there is a repository; else files are carried.
    public var hasRepository: Bool { get throws(AuthorityError) { try database.repository() != nil } }

    /// Where the repository is, and the epoch in which people are counted.
    /// - Throws: `insideOffice` before anything is read or written there that would lie among the keys.
    func repository() throws(AuthorityError) -> (folder: RepositoryFolder, epoch: Int64) {
        guard let known = try database.repository() else { throw .repository(.missing) }
        try OutputPlace.checkApart(known.path, from: folder)
        return (RepositoryFolder(path: known.path, beforeWriting: beforeWriting), known.epoch)
    }

    /// The signed part of the newest metadata of a role.
    func signed(_ role: RepositoryRole) throws(AuthorityError) -> JSONObject? {
        guard let bytes = try database.metadata(role) else { return nil }
        guard let signed = MetadataFile.signed(in: bytes) else { throw .damaged }
        return signed
    }

    /// Signs with the keys that are here, as the role demands that delegates to this one.
    func sign(_ signed: JSONObject, as role: RepositoryRole, of delegator: JSONObject) throws(AuthorityError) -> [UInt8] {
        let wanted = delegator.keys(of: role)
        var file = MetadataFile(signed)
        for key in try signingKeys(role, among: Set(wanted.identifiers)) { try file.sign(with: key) }
        guard file.signatures.count >= wanted.threshold else { throw .repository(.keysMissing(role)) }
        return file.bytes
    }

    /// The private keys of a role that are in the folder.
    func signingKeys(_ role: RepositoryRole, among identifiers: Set<String>) throws(AuthorityError) -> [SigningKey] {
        var keys: [SigningKey] = []
        for key in try database.roleKeys(role) where identifiers.contains(key.identifier) {
            guard let name = key.file, folder.has(name) else { continue }
            if let signing = try folder.key(name, role: role.keyRole).signingKey { keys.append(signing) }
        }
        return keys
    }
}
