import Credentials
import Cryptography
import Files

/// The back office of one site: its keys, what was issued, enrolled and revoked, and the signed
/// publication of it. One program works on a folder at a time.
///
/// Every change is durable before a method answers, and what it says is done survives a power cut.
/// Times are UNIX seconds and come as arguments.
public final class Authority {
    /// The name of the site.
    public let site: String
    /// The name that tokens which are issued now carry as `iss`.
    public internal(set) var issuer: String

    let folder: AuthorityFolder
    let database: AuthorityDatabase
    private let lock: FileDescriptor
    /// Called before each file that is written into the repository; for tests, which end a command there.
    var beforeWriting = RepositoryFolder.Interruption()
    /// The folder outside of everything that is backed up in which it is noted what was published; nil: nowhere.
    public var notes: String?
    /// The number of the group that may write to the repository too; nil: nobody else may.
    public var repositoryGroup: UInt32?
    /// Whether it was made sure that the repository is not ahead, or a person has said which of the two counts.
    var isSettled = false
    /// Whether the database was looked through by the command that goes on.
    var isLookedThrough = false
    /// Whether a second office has published into the repository, and a person has said which of the two counts.
    var isForked = false

    /// Opens the authority in a folder.
    public convenience init(openingFolder path: String) throws(AuthorityError) {
        let folder = AuthorityFolder(path: path)
        guard folder.has(AuthorityFolder.database) else { throw .noAuthority(folder: path) }
        try folder.checkPrivate()
        let lock = try folder.locked()
        let database = try AuthorityDatabase(path: folder.path(of: AuthorityFolder.database))
        guard let site = try database.siteName() else { throw .noAuthority(folder: path) }
        guard let used = try database.tokenIssuers().first(where: \.isInUse) else { throw .damaged }
        self.init(site: site, issuer: used.name, folder: folder, database: database, lock: lock)
    }

    /// Makes an authority: the folder if need be, keys of the token issuer and of the gate issuer, and an empty database. An `init`
    /// that was interrupted is finished with the keys that it had made.
    /// - Parameters:
    ///   - issuer: the name that tokens carry as `iss`.
    ///   - gateIssuer: the name that credentials of gates carry as `iss`: another one. Nil: one is made of the site's.
    public static func make(inFolder path: String, site: String, issuer: String, gateIssuer: String? = nil, now: Int64)
        throws(AuthorityError) -> Authority {
        let site = try SiteName.ofSite(site), issuer = try SiteName.checked(issuer)
        let gateIssuer = try SiteName.checked(gateIssuer ?? usualGateIssuer(of: site, beside: issuer))
        guard !gateIssuer.utf8.elementsEqual(issuer.utf8) else { throw .sharedIssuer(issuer) }
        let folder = AuthorityFolder(path: path)
        try folder.makePrivate()
        let lock = try folder.locked()
        if !folder.has(AuthorityFolder.database) { try folder.makeEmpty(AuthorityFolder.database) }
        let database = try AuthorityDatabase(path: folder.path(of: AuthorityFolder.database))
        guard try database.siteName() == nil else { throw .alreadyThere(folder: path) }
        let issuerKey = try folder.keyMadeOnce(AuthorityFolder.issuerKey(1), role: .tokenIssuer, use: .sign)
        try folder.writePublicHalf(of: issuerKey, to: AuthorityFolder.issuerPublicKey(1))
        let gateIssuerKey = try folder.keyMadeOnce(AuthorityFolder.gateIssuerKey, role: .gateIssuer, use: .sign)
        try folder.writePublicHalf(of: gateIssuerKey, to: AuthorityFolder.gateIssuerPublicKey)
        // Last: a folder with names in its database has everything.
        try database.transaction { () throws(AuthorityError) in
            try database.setSiteNames(site: site, issuer: issuer, now: now)
            try database.add(TokenIssuerRow(generation: 1, name: issuer, madeAt: now, isInUse: true, droppedAt: nil))
            try database.setGateIssuer(gateIssuer, now: now)
        }
        return Authority(site: site, issuer: issuer, folder: folder, database: database, lock: lock)
    }

    private init(site: String, issuer: String, folder: AuthorityFolder, database: AuthorityDatabase, lock: FileDescriptor) {
        self.site = site
        self.issuer = issuer
        self.folder = folder
        self.database = database
        self.lock = lock
    }

    /// The credentials of the site's gates, for phones.
    public var knownGatesPath: String { folder.path(of: AuthorityFolder.knownGates) }

    /// The private key that signs tokens.
    func issuerKey() throws(AuthorityError) -> SigningKey {
        guard let used = try database.tokenIssuers().first(where: \.isInUse) else { throw .damaged }
        let name = AuthorityFolder.issuerKey(used.generation)
        return try Self.signingKey(folder.key(name, role: .tokenIssuer), path: folder.path(of: name))
    }

    private static func signingKey(_ file: KeyFile, path: String) throws(AuthorityError) -> SigningKey {
        guard let key = file.signingKey else { throw .keyFile(path: path, .wrongHalf) }
        return key
    }
}

extension AuthorityDatabase {
    /// The name that `init` gave; nil if it did not come that far.
    func siteName() throws(AuthorityError) -> String? {
        let query = try prepare("SELECT name FROM site")
        defer { query.reset() }
        guard try query.next() else { return nil }
        guard let name = query.writtenName(0) else { throw .damaged("the site has no name") }
        return name
    }

    func setSiteNames(site: String, issuer: String, now: Int64) throws(AuthorityError) {
        let insert = try prepare("INSERT INTO site (id, name, issuer, made_at) VALUES (1, ?1, ?2, ?3)")
        insert.bind(site, at: 1)
        insert.bind(issuer, at: 2)
        insert.bind(now, at: 3)
        try insert.finish()
    }
}

extension Authority {
    /// Goes through the tokens that were issued, oldest first.
    public func forEachToken(_ body: (IssuedToken) -> Void) throws(AuthorityError) {
        try database.forEachToken { token in body(token) }
    }

    /// Goes through the enrolled keys, each with the time at which it was enrolled.
    public func forEachEnrolled(_ body: (EnrolledKey, _ at: Int64) -> Void) throws(AuthorityError) {
        try database.forEachEnrolled { key, time in body(key, time) }
    }

    /// Goes through the revocations, oldest first, each with its time.
    public func forEachRevocation(_ body: (Revocation, _ at: Int64) -> Void) throws(AuthorityError) {
        try database.forEachRevocation { revocation, time in body(revocation, time) }
    }

    /// Who had the keys and tokens that were revoked, as far as it is known here.
    public func holdersOfRevoked() throws(AuthorityError) -> [Revocation: Set<String>] { try database.holdersOfRevoked() }

    /// The keys of the site's gates, oldest first, those too that phones are given no more.
    public func gateKeys() throws(AuthorityError) -> [ListedGateKey] {
        var keys: [ListedGateKey] = []
        for row in try database.gateKeys() {
            keys.append(ListedGateKey(group: row.name, generation: row.generation, use: row.use, key: try row.key, claims: row.claims,
                                      madeAt: row.madeAt, isEmergency: row.isEmergency, droppedAt: row.droppedAt))
        }
        return keys
    }
}
