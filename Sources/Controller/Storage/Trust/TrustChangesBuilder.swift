import Credentials
import Files
import Glibc
import SiteData
import Threads

/// Builds the file of changes that lies upon `trust.db`: what people have been put, and which rows below count no more. It is made of the
/// one in use and counts for nothing until it is renamed.
///
/// So ten changes in a million people are a small file written whole, and neither the large one nor a log beside it is touched: those who
/// read go on with files that nobody changes, and a power cut leaves the old changes or the new ones.
final class TrustChangesBuilder {
    /// The file in use, and the one that is being built.
    static let inUse = "trust.recent.db"
    static let name = "trust.recent.db.new"
    private static let cacheKibibytes = 4096

    private let file: FileDescriptor
    private let connection: SQLiteConnection
    private let rows: TrustRows
    private let recent: PeopleRows
    private let whole: PeopleRows
    private let wholeConnection: SQLiteConnection
    private let base: [UInt8]
    private let isGone: SQLiteStatement
    private let setGone: SQLiteStatement
    /// What the rows come to, and how many there are, as far as changes were applied.
    private var sum: KeptSum
    private let sumBefore: KeptSum
    private let elements = ElementMaker()
    private(set) var counts: PublicationCounts
    /// Rows that lie upon the file below.
    private(set) var size = 0
    /// The kinds of revocations that occurred before, and those of the file below.
    private let revocationKinds: Int64
    private let kindsBelow: Int64

    /// - Parameters:
    ///   - wholeName: the file below.
    ///   - continuing: whether there are changes in use upon it.
    init(upon wholeName: String, in folder: StorageFolder, continuing: Bool, fileSystem: String?) throws(StorageError) {
        try Self.discard(in: folder)
        if continuing { try folder.copy(Self.inUse, to: Self.name) } else { try folder.create(Self.name) }
        file = try StorageFolder.open(folder.path(of: Self.name), flags: O_RDWR)
        connection = try SQLiteConnection(
            path: folder.path(of: Self.name), access: .readWrite, fileSystem: fileSystem, cacheKibibytes: Self.cacheKibibytes)
        // Nobody else sees this file, and a crash leaves nothing that would be used.
        for setting in ["journal_mode = OFF", "synchronous = OFF", "locking_mode = EXCLUSIVE"] { try connection.execute("PRAGMA \(setting)") }
        wholeConnection = try SQLiteConnection(
            path: folder.path(of: wholeName), access: .immutable, fileSystem: fileSystem, cacheKibibytes: Self.cacheKibibytes)
        try wholeConnection.execute("BEGIN")
        if !continuing {
            try DatabaseSchema.trust.migrate(connection)
            for index in DatabaseSchema.trustIndexes where index != DatabaseSchema.membershipIndex { try connection.execute(index) }
        }
        try connection.execute("BEGIN")
        rows = try TrustRows(connection)
        recent = try PeopleRows(connection, isWritable: true)
        whole = try PeopleRows(wholeConnection, isWritable: false)
        isGone = try connection.prepare("SELECT 1 FROM gone WHERE kind = ?1 AND value = ?2")
        setGone = try connection.prepare("INSERT INTO gone (kind, value) VALUES (?1, ?2)")
        let state = continuing ? connection : wholeConnection
        let facts = try TrustFileFacts(of: state)
        guard let base = continuing ? facts.base : facts.file, let sum = try KeptSum(of: state) else {
            throw StorageError(.noSiteData, "The site data come from elsewhere than a repository.")
        }
        self.base = base
        self.sum = sum
        sumBefore = sum
        counts = facts.publication.counts
        revocationKinds = continuing ? facts.revocationKinds : 0
        kindsBelow = try TrustFileFacts(of: wholeConnection).revocationKinds
        if continuing { size = try Self.size(of: connection) } else { try copySite() }
    }

    private static func size(of connection: SQLiteConnection) throws(StorageError) -> Int {
        var size = 0
        for table in ["enrolled", "revocation", "membership", "plain_card", "gone"] {
            size += Int(try connection.integer("SELECT count(*) FROM \(table)"))
        }
        return size
    }

    /// Removes what interrupted changes left behind.
    static func discard(in folder: StorageFolder) throws(StorageError) {
        for suffix in ["", "-journal", "-wal", "-shm"] { try folder.remove(name + suffix) }
    }

    // People -------------------------------------------------------------------------------------

    /// Makes a change. What a gate has already, or lacks already, is no fault: changes say how things are.
    func apply(_ entry: BundleEntry) throws(StorageError) {
        try forget(entry.key)
        guard case .put(let record) = entry.item, sum.concerns(record) else { return }
        _ = try rows.store(record, of: entry.key)
        sum.add(record, elements.element(of: entry, record))
        counts.count(record)
        size += 1
    }

    private func forget(_ key: RecordKey) throws(StorageError) {
        if let old = try recent.row(of: key) {
            try recent.remove(key)
            size -= 1
            add(old, of: key)
        } else if try !isGone(key), let old = try whole.row(of: key) {
            setGone.bind(Int64(key.kind), at: 1)
            setGone.bind(key.bytes, at: 2)
            try setGone.run()
            size += 1
            add(old, of: key)
        }
    }

    private func add(_ old: PeopleRow, of key: RecordKey) {
        sum.subtract(old, of: key)
        counts.uncount(key)
    }

    /// Whether the gate can tell by what the header says that it has what was signed.
    func canCheck(_ header: BundleHeader) -> Bool { sum.ofZones == nil || header.zones != nil }

    /// Whether the rows are now those that were signed.
    func agrees(with header: BundleHeader) -> Bool {
        if let state = sum.ofState { return counts.ofPeople == header.counts && state.digest(site: header.site, counts: header.counts) == header.digest }
        guard let digests = header.zones, let before = sumBefore.ofZones else { return false }
        return sum.ofZones?.agree(with: digests, before: before) ?? false
    }

    private func isGone(_ key: RecordKey) throws(StorageError) -> Bool {
        defer { isGone.reset() }
        isGone.bind(Int64(key.kind), at: 1)
        isGone.bind(key.bytes, at: 2)
        return try isGone.step()
    }

    /// Whether the file below says so, and no change has taken it back.
    private func isRevokedBelow(_ revocation: Revocation) throws(StorageError) -> Bool {
        guard kindsBelow & RevocationRow(revocation).bit != 0 else { return false }
        let key = RecordKey(revocation: revocation)
        guard try whole.row(of: key) != nil else { return false }
        return try !isGone(key)
    }

    // The site's part ----------------------------------------------------------------------------

    /// The tables of the site's part with their columns and their order.
    private static let siteTables = [
        ("issuer", "name, x, y, ceiling", "name"), ("gate_credential", "raw", "id"), ("rule", "record", "id"),
        ("word", "language, name, shown", "language, name"), ("site_revocation", "kind, value", "kind, value")
    ]

    /// Here the site's part lies whole: it is small, and readers look at one file for it.
    private func copySite() throws(StorageError) {
        // A file that could not be brought up to date yet has no issuer with a ceiling.
        let lacksCeilings = try wholeConnection.integer("PRAGMA user_version") < 11
        for (table, columns, order) in Self.siteTables {
            let count = columns.split(separator: ",").count
            let known = lacksCeilings && table == "issuer" ? "name, x, y, NULL" : columns
            let from = try wholeConnection.prepare("SELECT \(known) FROM \(table) ORDER BY \(order)")
            let places = (1...count).map { "?\($0)" }.joined(separator: ", ")
            let to = try connection.prepare("INSERT INTO \(table) (\(columns)) VALUES (\(places))")
            while try from.step() {
                to.bind(columnsOf: from, count: count)
                try to.run()
            }
        }
    }

    /// Puts another site's part in the place of the one that was there.
    func replaceSite(with records: [PublicationRecord]) throws(StorageError) {
        for (table, _, _) in Self.siteTables { try connection.execute("DELETE FROM \(table)") }
        (counts.issuers, counts.gateCredentials, counts.rules) = (0, 0, 0)
        for record in records {
            if case .revocation(let revocation) = record {
                try rows.store(ofSite: revocation)
            } else {
                _ = try rows.store(record)
                counts.count(record)
            }
        }
    }

    /// The thumbprint of a person's key that a gate or an issuer has too; nil: there is none.
    func personOfOtherRole() throws(StorageError) -> [UInt8]? {
        var others = try SiteContents(of: connection).issuers.values.map(\.key)
        let gates = try connection.prepare("SELECT raw FROM gate_credential")
        while try gates.step() { if let key = PublicationRecord.gateCredential(gates.bytes(0)).keyOfOtherRole { others.append(key) } }
        for key in others {
            let key = RecordKey(enrolled: key.thumbprint)
            if try recent.row(of: key) != nil { return key.bytes }
            if try whole.row(of: key) != nil, try !isGone(key) { return key.bytes }
        }
        return nil
    }

    /// Says what the file is, and waits until all of it is on the disk.
    func finish(_ publication: TrustPublication) throws(StorageError) {
        let kinds = revocationKinds | rows.revocationKinds
        try RevokedKeys(connection, kinds: kinds).state { (revocation) throws(StorageError) in try isRevokedBelow(revocation) }
        try SharedKeyIdentifiers(connection, below: wholeConnection).state { (thumbprint) throws(StorageError) in
            try isGone(RecordKey(enrolled: thumbprint))
        }
        let facts = TrustFileFacts(publication: publication, revocationKinds: kinds, file: TrustFileFacts.newFile(), base: base, statesRevoked: true)
        try facts.write(to: connection, sum: sum)
        try connection.execute("COMMIT")
        try withStorageErrors { () throws(SystemError) in try file.sync() }
    }
}
