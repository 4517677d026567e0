import CSQLite
import Credentials
import Files
import Glibc
import SiteData
import Threads

/// Builds a new `trust.db` beside the one in use. It counts for nothing until it is renamed.
final class TrustFileBuilder {
    static let name = "trust.db.new"
    private static let cacheKibibytes = 2048
    /// After so many rows the disk is asked to keep up: one large sync at the end would hold up the
    /// journal's small ones for as long.
    private static let rowsPerPiece = 3000
    /// The same for making an index, in steps of SQLite's virtual machine.
    private static let stepsPerPiece: Int32 = 80_000

    private let folder: StorageFolder
    private let connection: SQLiteConnection
    private let file: FileDescriptor
    private let tables: TrustRows
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
        tables = try TrustRows(connection)
    }

    /// Removes what an interrupted import left behind.
    static func discard(in folder: StorageFolder) throws(StorageError) {
        for suffix in ["", "-journal", "-wal", "-shm"] { try folder.remove(name + suffix) }
    }

    /// - Parameter key: that of the record, if whoever calls knows it.
    func add(_ record: PublicationRecord, of key: RecordKey? = nil) throws(ImportError) {
        if case .issuer(let given) = record, !issuers.insert(given.name).inserted {
            throw .duplicateIssuer(given.name)
        }
        if let key = record.keyOfOtherRole { otherRoles.insert(key.thumbprint) }
        let isNew: Bool
        do throws(StorageError) {
            isNew = try tables.store(record, of: key)
            try count()
        } catch {
            throw .storage(error)
        }
        if case .uidOnlyCard = record, !isNew { throw .duplicateUIDOnlyCard }
    }

    /// Adds a record of the site's part of a repository.
    func add(ofSite record: PublicationRecord) throws(ImportError) {
        guard case .revocation(let revocation) = record else { return try add(record) }
        do throws(StorageError) {
            try tables.store(ofSite: revocation)
            try count()
        } catch {
            throw .storage(error)
        }
    }

    /// A record of people is left out: it says nothing about this gate's zones. The site's part came before it.
    func leaveOut(_ record: PublicationRecord) throws(ImportError) {
        guard case .enrolled(let enrolled) = record, !otherRoles.isEmpty else { return }
        let thumbprint = enrolled.key.thumbprint
        if otherRoles.contains(thumbprint) { throw .publication(.keyOfTwoRoles(thumbprint: thumbprint)) }
    }

    private func count() throws(StorageError) {
        rows += 1
        if rows % Self.rowsPerPiece == 0 { try withStorageErrors { () throws(SystemError) in try file.syncData() } }
    }

    /// Once, here, instead of at every tap.
    private func markRevoked() throws(StorageError) {
        try markRevoked(by: tables.revocationKinds, in: "revocation")
        try markRevoked(by: tables.siteRevocationKinds, in: "site_revocation")
    }

    private func markRevoked(by kinds: Int64, in table: String) throws(StorageError) {
        if let cards = DatabaseSchema.cardIsRevoked(by: kinds, in: table) {
            try connection.execute("UPDATE plain_card SET revoked = 1 WHERE \(cards)")
        }
        if let keys = DatabaseSchema.keyIsRevoked(by: kinds, in: table) {
            try connection.execute("UPDATE enrolled SET revoked = 1 WHERE \(keys)")
        }
    }

    /// Indexes, says what the file is, and waits until all of it is on the disk.
    /// - Parameter sum: what the rows of people come to, where they are those of a repository.
    func finish(_ publication: TrustPublication, sum: KeptSum? = nil) throws(StorageError) {
        let facts = TrustFileFacts(publication: publication, revocationKinds: tables.revocationKinds, file: TrustFileFacts.newFile())
        try facts.write(to: connection, sum: sum)
        try markRevoked()
        try connection.execute("COMMIT")
        try makeIndexes()
        try withStorageErrors { () throws(SystemError) in try file.sync() }
    }

    /// Refuses a person with the key of a gate or an issuer, whichever record came first. By the indexes.
    func refusePersonsOfOtherRoles() throws(ImportError) {
        for thumbprint in otherRoles {
            let isEnrolled: Bool
            do throws(StorageError) {
                let query = try connection.prepare("SELECT 1 FROM enrolled WHERE print = ?1 AND thumbprint = ?2")
                query.bind(TrustTables.prefix(of: thumbprint), at: 1)
                query.bind(thumbprint, at: 2)
                isEnrolled = try query.step()
            } catch {
                throw .storage(error)
            }
            guard !isEnrolled else { throw .publication(.keyOfTwoRoles(thumbprint: thumbprint)) }
        }
    }

    private func makeIndexes() throws(StorageError) {
        let disk = DiskPace(file)
        // Both are alive until the handler is taken away.
        sqlite3_progress_handler(connection.handle, Self.stepsPerPiece, { disk in
            guard let disk else { return 0 }
            return Unmanaged<DiskPace>.fromOpaque(disk).takeUnretainedValue().keepsUp() ? 0 : 1
        }, Unmanaged.passUnretained(disk).toOpaque())
        defer { withExtendedLifetime(disk) { sqlite3_progress_handler(connection.handle, 0, nil, nil) } }
        for index in DatabaseSchema.trustIndexes {
            do throws(StorageError) {
                try connection.execute(index)
            } catch {
                // SQLite says only that it was stopped.
                try withStorageErrors { () throws(SystemError) in try disk.check() }
                throw error
            }
        }
    }
}

/// Has the disk keep up with a large file while SQLite works on it, and keeps the disk's error, which is told once.
final class DiskPace {
    private let file: FileDescriptor
    private var failure: SystemError?

    init(_ file: FileDescriptor) { self.file = file }

    /// False when the disk has failed.
    func keepsUp() -> Bool {
        do throws(SystemError) { try file.syncData() } catch { failure = error }
        return failure == nil
    }

    /// - Throws: what the disk said.
    func check() throws(SystemError) { if let failure { throw failure } }
}
