import CSQLite
import Credentials
import Encoding
import Files
import Glibc
import SiteRules
import Threads
import TrustSync

/// Builds a new `trust.db` beside the one in use. It counts for nothing until it is renamed.
final class TrustFileBuilder {
    static let name = "trust.db.new"
    private static let cacheKibibytes = 2048
    /// After so many rows the disk is asked to keep up: one large sync at the end would hold up the
    /// journal's small ones for as long.
    private static let rowsPerSync = 20_000
    /// The same for making an index, in steps of SQLite's virtual machine.
    private static let stepsPerSync: Int32 = 400_000

    private let folder: StorageFolder
    private let connection: SQLiteConnection
    private let file: FileDescriptor
    private let issuer: SQLiteStatement
    private let gateCredential: SQLiteStatement
    private let enrolled: SQLiteStatement
    private let revocation: SQLiteStatement
    private let rule: SQLiteStatement
    private let membership: SQLiteStatement
    private let plainCard: SQLiteStatement
    private var revocationKinds: Int64 = 0
    private var rows = 0
    private var issuers: Set<String> = []
    /// The thumbprints of keys that are no person's.
    private var otherRoles: Set<[UInt8]> = []

    init(in folder: StorageFolder, fileSystem: String?) throws(StorageError) {
        self.folder = folder
        try Self.discard(in: folder)
        try folder.create(Self.name)
        file = try StorageFolder.open(folder.path(of: Self.name), flags: O_RDWR)
        connection = try SQLiteConnection(
            path: folder.path(of: Self.name), access: .readWrite, fileSystem: fileSystem,
            cacheKibibytes: Self.cacheKibibytes)
        // Nobody else sees this file, and a crash leaves nothing that would be used.
        try connection.execute("PRAGMA journal_mode = OFF")
        try connection.execute("PRAGMA synchronous = OFF")
        try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        try DatabaseSchema.trust.migrate(connection)
        try connection.execute(DatabaseSchema.withoutMembershipIndex)
        try connection.execute("BEGIN")
        issuer = try connection.prepare("INSERT INTO issuer (name, x, y) VALUES (?1, ?2, ?3)")
        gateCredential = try connection.prepare("INSERT INTO gate_credential (raw) VALUES (?1)")
        enrolled = try connection.prepare(
            """
            INSERT INTO enrolled (kid, print, thumbprint, use, curve, x, y, subject, scope, audiences, not_before, expires_at,
                user_verification, revoked)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, 0)
            """)
        revocation = try connection.prepare("INSERT OR IGNORE INTO revocation (kind, value) VALUES (?1, ?2)")
        rule = try connection.prepare("INSERT INTO rule (record) VALUES (?1)")
        membership = try connection.prepare("INSERT INTO membership (person, member_of) VALUES (?1, ?2)")
        plainCard = try connection.prepare(
            "INSERT OR IGNORE INTO plain_card (uid, subject, audiences, not_before, expires_at) VALUES (?1, ?2, ?3, ?4, ?5)")
    }

    /// Removes what an interrupted import left behind.
    static func discard(in folder: StorageFolder) throws(StorageError) {
        for suffix in ["", "-journal", "-wal", "-shm"] { try folder.remove(name + suffix) }
    }

    func add(_ record: PublicationRecord) throws(ImportError) {
        if case .issuer(let given) = record, !issuers.insert(given.name).inserted {
            throw .duplicateIssuer(given.name)
        }
        if let key = record.keyOfOtherRole { otherRoles.insert(key.thumbprint) }
        let isNew: Bool
        do throws(StorageError) {
            isNew = try store(record)
            rows += 1
            if rows % Self.rowsPerSync == 0 { try syncData() }
        } catch {
            throw .storage(error)
        }
        if case .plainCard = record, !isNew { throw .duplicatePlainCard }
    }

    /// - Returns: false if there is a row already that this one would have to replace.
    private func store(_ record: PublicationRecord) throws(StorageError) -> Bool {
        switch record {
        case .issuer(let given): try add(given)
        case .gateCredential(let raw):
            gateCredential.bind(raw, at: 1)
            try gateCredential.run()
        case .enrolled(let key): try add(key)
        case .revocation(let given): try add(RevocationRow(given))
        case .plainCard(let card): return try add(card)
        case .rule(.membership(let given)): try add(given)
        // Publications of format 1 have none.
        case .ceiling, .word: break
        case .rule(let given):
            rule.bind(given.cbor.encoded, at: 1)
            try rule.run()
        }
        return true
    }

    private func add(_ given: TokenIssuer) throws(StorageError) {
        issuer.bind(given.name, at: 1)
        issuer.bind(given.key.x, at: 2)
        issuer.bind(given.key.y, at: 3)
        try issuer.run()
    }

    private func add(_ key: EnrolledKey) throws(StorageError) {
        let thumbprint = key.key.thumbprint
        enrolled.bind(key.keyIdentifier, at: 1)
        enrolled.bind(TrustReader.prefix(of: thumbprint), at: 2)
        enrolled.bind(thumbprint, at: 3)
        enrolled.bind(key.use.stored, at: 4)
        enrolled.bind(Int64(key.key.curve.rawValue), at: 5)
        enrolled.bind(key.key.x, at: 6)
        enrolled.bind(key.key.y, at: 7)
        enrolled.bind(key.subject, at: 8)
        enrolled.bind(CBOR.encodeSequence(key.scope.map(CBOR.text)), at: 9)
        enrolled.bind(CBOR.encodeSequence(key.audiences.map(CBOR.text)), at: 10)
        enrolled.bind(key.notBefore, at: 11)
        enrolled.bind(key.expiresAt, at: 12)
        enrolled.bind(key.userVerification ? 1 : 0, at: 13)
        try enrolled.run()
    }

    private func add(_ given: Membership) throws(StorageError) {
        membership.bind(PersonDigest(subject: given.subject).bytes, at: 1)
        membership.bind(given.group, at: 2)
        try membership.run()
    }

    private func add(_ card: PlainCard) throws(StorageError) -> Bool {
        plainCard.bind(card.number.bytes, at: 1)
        plainCard.bind(card.subject, at: 2)
        plainCard.bind(CBOR.encodeSequence(card.audiences.map(CBOR.text)), at: 3)
        plainCard.bind(card.notBefore, at: 4)
        plainCard.bind(card.expiresAt, at: 5)
        try plainCard.run()
        return sqlite3_changes(connection.handle) == 1
    }

    private func add(_ row: RevocationRow) throws(StorageError) {
        revocationKinds |= row.bit
        revocation.bind(row.kind, at: 1)
        revocation.bind(row.value, at: 2)
        try revocation.run()
    }

    /// Once, here, instead of at every tap.
    private func markRevoked() throws(StorageError) {
        let ofSubjects = [Revocation.subject(""), .suspended("")].map { RevocationRow($0).bit }
        if ofSubjects.contains(where: { revocationKinds & $0 != 0 }) {
            try connection.execute("UPDATE plain_card SET revoked = 1 WHERE \(DatabaseSchema.cardIsRevoked)")
        }
        let ofKeys = ofSubjects + [RevocationRow(.key(thumbprint: [])).bit]
        guard ofKeys.contains(where: { revocationKinds & $0 != 0 }) else { return }
        try connection.execute("UPDATE enrolled SET revoked = 1 WHERE \(DatabaseSchema.keyIsRevoked)")
    }

    /// Indexes, says what the file is, and waits until all of it is on the disk.
    func finish(_ publication: TrustPublication) throws(StorageError) {
        let row = try connection.prepare(
            "INSERT INTO publication VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)")
        row.bind(publication.site, at: 1)
        row.bind(Int64(clamping: publication.version), at: 2)
        row.bind(publication.issuedAt, at: 3)
        row.bind(publication.expiresAt, at: 4)
        row.bind(publication.bodyHash, at: 5)
        row.bind(Int64(clamping: publication.generation), at: 6)
        row.bind(Int64(clamping: publication.counts.issuers), at: 7)
        row.bind(Int64(clamping: publication.counts.gateCredentials), at: 8)
        row.bind(Int64(clamping: publication.counts.enrolled), at: 9)
        row.bind(Int64(clamping: publication.counts.revocations), at: 10)
        row.bind(revocationKinds, at: 11)
        row.bind(publication.appliedAt, at: 12)
        row.bind(publication.origin.rawValue, at: 13)
        row.bind(Int64(clamping: publication.counts.rules), at: 14)
        row.bind(Int64(clamping: publication.counts.memberships), at: 15)
        row.bind(Int64(clamping: publication.counts.plainCards), at: 16)
        try row.run()
        try markRevoked()
        try connection.execute("COMMIT")
        try syncData()
        try makeIndexes()
        try withStorageErrors { () throws(SystemError) in try file.sync() }
    }

    /// Refuses a person with the key of a gate or an issuer, whichever record came first. By the indexes.
    func refusePersonsOfOtherRoles() throws(ImportError) {
        for thumbprint in otherRoles {
            let isEnrolled: Bool
            do throws(StorageError) {
                let query = try connection.prepare("SELECT 1 FROM enrolled WHERE print = ?1 AND thumbprint = ?2")
                query.bind(TrustReader.prefix(of: thumbprint), at: 1)
                query.bind(thumbprint, at: 2)
                isEnrolled = try query.step()
            } catch {
                throw .storage(error)
            }
            guard !isEnrolled else { throw .publication(.keyOfTwoRoles(thumbprint: thumbprint)) }
        }
    }

    private func syncData() throws(StorageError) {
        try withStorageErrors { () throws(SystemError) in try file.syncData() }
    }

    private func makeIndexes() throws(StorageError) {
        // Both are alive until the handler is taken away.
        let context = Unmanaged.passUnretained(file).toOpaque()
        sqlite3_progress_handler(connection.handle, Self.stepsPerSync, { context in
            guard let context else { return 0 }
            // A failure here comes again with the last sync, which counts.
            try? Unmanaged<FileDescriptor>.fromOpaque(context).takeUnretainedValue().syncData()
            return 0
        }, context)
        defer { sqlite3_progress_handler(connection.handle, 0, nil, nil) }
        for index in DatabaseSchema.trustIndexes { try connection.execute(index) }
    }
}
