import CSQLite
import Files
import Threads

/// The writer's connection to `journal.db`, and its statements.
final class JournalFile {
    static let name = "journal.db"
    /// The name of a new one until it is complete.
    static let unfinishedName = "journal.db.new"
    /// Records at the end of each chain that are verified at every start: bounded, so that a start is
    /// quick with a million records.
    static let verifiedAtOpen = 64
    /// A writer touches the ends of a few trees only.
    private static let cacheKibibytes = 512
    /// Bytes of a page in a new file; one that was made with larger pages keeps them. A commit writes every page that it
    /// touches whole, into the log and later once more into the database: of 4,096 bytes a tap touches six, for records of
    /// 1,200 bytes. 512 is the least that SQLite has.
    private static let pageSize = 512

    private let connection: SQLiteConnection
    private let transaction: SQLiteTransaction
    private let schema: SchemaWatch
    private let identity: FileIdentity
    private let folder: StorageFolder
    private let name: String
    private let logSize: LogSize
    private let bytesOfPage: Int64
    private let inserts: [JournalPartition: SQLiteStatement]
    private let trims: [JournalPartition: SQLiteStatement]
    private let rows: [JournalPartition: JournalRows]
    private let setAnchor: SQLiteStatement
    private let openAttempt: SQLiteStatement
    private let closeAttempt: SQLiteStatement
    private let count: SQLiteStatement
    private let endWindow: SQLiteStatement
    private let state: StateTables
    private let setCollection: SQLiteStatement

    /// The schema the file had, if an older program wrote it.
    let upgradedFrom: Int?

    /// Opens the file, which exists, and brings its schema up to date. An empty file becomes a journal.
    /// - Parameter onUpgrade: told the older schema before it is changed, which may take a while.
    init(
        in folder: StorageFolder, name: String = JournalFile.name, lockWait: Int32, fileSystem: String?,
        onUpgrade: (Int) -> Void = { _ in }
    ) throws(StorageError) {
        self.folder = folder
        self.name = name
        let header = try folder.header(of: name, logged: true)
        if let header {
            // Before SQLite opens it: a file of a newer version is not touched at all.
            try DatabaseSchema.journal.check(version: header.userVersion, owner: header.applicationIdentifier)
        }
        let connection = try Self.connect(folder, name: name, lockWait: lockWait, fileSystem: fileSystem)
        self.connection = connection
        let found = Int(try connection.integer("PRAGMA user_version"))
        let isOlder = found > 0 && found < DatabaseSchema.journal.version
        upgradedFrom = isOlder ? found : nil
        if isOlder { onUpgrade(found) }
        try DatabaseSchema.journal.migrate(connection)
        transaction = try SQLiteTransaction(of: connection)
        schema = try SchemaWatch(of: connection)
        // The version must be in the file itself, where the check above finds it.
        if header?.userVersion != DatabaseSchema.journal.version { try Self.checkpoint(connection, truncate: true) }
        identity = try folder.identity(of: name)
        logSize = LogSize(of: connection)
        bytesOfPage = try connection.integer("PRAGMA page_size")
        var inserts: [JournalPartition: SQLiteStatement] = [:]
        var trims: [JournalPartition: SQLiteStatement] = [:]
        var rows: [JournalPartition: JournalRows] = [:]
        for partition in JournalPartition.allCases {
            inserts[partition] = try connection.prepare(
                "INSERT INTO \(partition.table) (sequence, kind, wall, lane, reason, body, hash) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
            trims[partition] = try connection.prepare("DELETE FROM \(partition.table) WHERE sequence <= ?1")
            rows[partition] = try JournalRows(partition, of: connection)
        }
        self.inserts = inserts
        self.trims = trims
        self.rows = rows
        setAnchor = try connection.prepare("INSERT OR REPLACE INTO anchor (partition, sequence, hash) VALUES (?1, ?2, ?3)")
        openAttempt = try connection.prepare("INSERT INTO open_attempt (sequence, body) VALUES (?1, ?2)")
        closeAttempt = try connection.prepare("DELETE FROM open_attempt WHERE sequence = ?1")
        count = try connection.prepare(
            """
            INSERT INTO failure_window (lane, reason, count, first_wall, last_wall, last_monotonic, assurance)
            VALUES (?1, ?2, 1, ?3, ?3, ?4, ?5) ON CONFLICT (lane, reason, assurance) DO UPDATE
            SET count = count + 1, last_wall = excluded.last_wall, last_monotonic = excluded.last_monotonic
            """)
        endWindow = try connection.prepare("DELETE FROM failure_window WHERE lane = ?1 AND reason = ?2 AND assurance = ?3")
        state = try StateTables(of: connection)
        setCollection = try connection.prepare("INSERT OR REPLACE INTO collection (only, through, overwritten) VALUES (1, ?1, ?2)")
    }

    /// A connection whose commits are on the disk when they return, and which never empties the log by
    /// itself: that is the work of `LogMover`.
    static func connect(
        _ folder: StorageFolder, name: String = JournalFile.name, lockWait: Int32, fileSystem: String?
    ) throws(StorageError) -> SQLiteConnection {
        let connection = try SQLiteConnection(
            path: folder.path(of: name), access: .readWrite, fileSystem: fileSystem, cacheKibibytes: cacheKibibytes)
        connection.waitForLocks(milliseconds: lockWait)
        csqlite_keep_log_on_close(connection.handle)
        // Without effect on a file that has pages already.
        try connection.execute("PRAGMA page_size = \(pageSize)")
        let mode = try connection.prepare("PRAGMA journal_mode = WAL")
        guard try mode.step(), mode.text(0) == "wal" else {
            throw StorageError(.cannotOpen, "The file system of \(folder.path) does not support a write-ahead log.")
        }
        mode.reset()
        try connection.execute("PRAGMA synchronous = FULL")
        // Debian's SQLite writes zeros over what is deleted, page by page. What the ring lets go makes room for the next records, which do that.
        try connection.execute("PRAGMA secure_delete = FAST")
        try connection.execute("PRAGMA wal_autocheckpoint = 0")
        return connection
    }

    /// Moves the log's pages into the database. `truncate` waits for readers and empties the log.
    static func checkpoint(_ connection: SQLiteConnection, truncate: Bool) throws(StorageError) {
        let mode = truncate ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
        let result = Loop.outside(.disk) { sqlite3_wal_checkpoint_v2(connection.handle, nil, mode, nil, nil) }
        guard result == SQLITE_OK else { throw connection.error(result, doing: "checkpoint") }
    }

    // Loading ------------------------------------------------------------------------------------

    /// The state of both chains. The newest records are verified.
    /// - Throws: `database-corrupt` if they do not follow from one another.
    func load() throws(StorageError) -> JournalChain {
        var chain = JournalChain()
        for partition in JournalPartition.allCases { chain[partition] = try end(of: partition) }
        let attempts = try connection.prepare("SELECT sequence, body FROM open_attempt")
        while try attempts.step() { chain.openAttempts[UInt64(clamping: attempts.integer(0))] = attempts.bytes(1) }
        chain.collection = try collection()
        return chain
    }

    private func collection() throws(StorageError) -> JournalCollection {
        let statement = try connection.prepare("SELECT through, overwritten FROM collection")
        guard try statement.step() else { return .none }
        return JournalCollection(through: UInt64(clamping: statement.integer(0)), overwritten: UInt64(clamping: statement.integer(1)))
    }

    /// Whether the newest record of the main chain is a checkpoint.
    func endsWithCheckpoint() throws(StorageError) -> Bool {
        let newest = try connection.prepare("SELECT kind FROM main_record ORDER BY sequence DESC LIMIT 1")
        return try newest.step() && newest.text(0) == JournalKind.checkpoint.rawValue
    }

    private func end(of partition: JournalPartition) throws(StorageError) -> JournalChain.End {
        guard let rows = rows[partition] else { return .none }
        if case .broken(let sequence, let why) = try rows.rowBelowAnchor() {
            throw StorageError(.corrupt, "Record \(sequence) of the \(partition.rawValue) chain: \(why).")
        }
        let anchor = try rows.anchorHead()
        let newest = UInt64(clamping: try connection.integer("SELECT coalesce(max(sequence), 0) FROM \(partition.table)"))
        guard newest > anchor.sequence else { return JournalChain.End(head: anchor, anchor: anchor) }
        var walk = ChainWalk(from: anchor)
        if newest - anchor.sequence > UInt64(Self.verifiedAtOpen) {
            let before = newest - UInt64(Self.verifiedAtOpen)
            guard let row = try rows.rows(after: before - 1, limit: 1).first, row.sequence == before else {
                throw StorageError(.corrupt, "Record \(before) of the \(partition.rawValue) chain is missing.")
            }
            walk = ChainWalk(from: JournalHead(sequence: before, hash: row.hash))
        }
        for row in try rows.rows(after: walk.position.sequence, limit: Self.verifiedAtOpen) {
            if let why = walk.step(row, in: partition) {
                throw StorageError(.corrupt, "Record \(row.sequence) of the \(partition.rawValue) chain: \(why).")
            }
        }
        return JournalChain.End(head: walk.position, anchor: anchor)
    }

    /// Whether the file holds the record that once was the head; the one that the oldest record follows from counts as held.
    func holds(_ head: JournalHead, in partition: JournalPartition) throws(StorageError) -> Bool {
        guard let rows = rows[partition], head.sequence > 0 else { return true }
        let anchor = try rows.anchorHead()
        // The file that remembers the head is written after each commit: the ring does not turn over in between.
        guard head.sequence > anchor.sequence else { return head == anchor }
        guard let row = try rows.rows(after: head.sequence - 1, limit: 1).first else { return false }
        return row.sequence == head.sequence && row.hash == head.hash
    }

    /// The ends of the chains as the newest rows claim them, unverified: better than beginning anew when
    /// the file is damaged and nothing else remembers.
    func claimedHeads() throws(StorageError) -> JournalHeads {
        var heads = JournalHeads.none
        for partition in JournalPartition.allCases {
            let newest = try connection.prepare(
                "SELECT sequence, hash FROM \(partition.table) ORDER BY sequence DESC LIMIT 1")
            guard try newest.step(), newest.bytes(1).count == 32 else { continue }
            heads[partition] = JournalHead(sequence: UInt64(clamping: newest.integer(0)), hash: newest.bytes(1))
        }
        return heads
    }

    /// The state that the records have led to.
    func loadState() throws(StorageError) -> JournalState { try state.load() }

    /// Counters that were running when the program ended.
    func leftWindows(trust time: JournalTime) throws(StorageError) -> [FailureWindows.Count] {
        let statement = try connection.prepare(
            "SELECT lane, reason, count, first_wall, last_wall, last_monotonic, assurance FROM failure_window")
        var counts: [FailureWindows.Count] = []
        while try statement.step() {
            var first = time
            first.wallMilliseconds = statement.integer(3)
            first.monotonicMilliseconds = statement.integer(5)
            first.machineMilliseconds = nil
            var last = first
            last.wallMilliseconds = statement.integer(4)
            counts.append(FailureWindows.Count(
                key: FailureWindows.Key(lane: statement.text(0), reason: statement.text(1), stored: statement.text(6)),
                count: UInt64(clamping: statement.integer(2)), first: first, last: last))
        }
        return counts
    }

    // Writing: all inside `commit` -----------------------------------------------------------------

    /// Runs `body` in one transaction; what it wrote is on the disk when this returns.
    func commit<Result>(_ body: () throws(StorageError) -> Result) throws(StorageError) -> Result {
        // SQLite would go on writing into a file that nobody can find any more.
        guard try isInPlace() else {
            throw StorageError(.corrupt, "The journal was removed or replaced while in use.")
        }
        return try transaction.run { () throws(StorageError) in
            try schema.look()
            return try body()
        }
    }

    /// Whether the file still has its name.
    private func isInPlace() throws(StorageError) -> Bool {
        do throws(StorageError) {
            return try folder.identity(of: name) == identity
        } catch {
            // A disk that does not answer has taken nothing away.
            if folder.has(name) { throw error }
            return false
        }
    }

    /// Removes a file that holds nothing worth keeping; one that somebody put in its place stays.
    func discard() throws(StorageError) {
        if try isInPlace() { try folder.remove(name) }
    }

    /// Whether this connection can never write, for the file could not be written when it was opened.
    var isReadOnly: Bool { connection.isReadOnly }

    /// Bytes of the pages that are in the log after the last commit.
    var logBytes: Int { logSize.pages * Int(bytesOfPage) }

    func insert(_ entry: JournalEntry, at head: JournalHead, body: [UInt8]) throws(StorageError) {
        guard let insert = inserts[entry.partition] else { return }
        insert.bind(Int64(clamping: head.sequence), at: 1)
        insert.bind(entry.kind.rawValue, at: 2)
        insert.bind(entry.time.wallMilliseconds, at: 3)
        insert.bind(entry.lane, at: 4)
        insert.bind(entry.reason, at: 5)
        insert.bind(body, at: 6)
        insert.bind(head.hash, at: 7)
        try insert.run()
    }

    func apply(_ effect: StateEffect) throws(StorageError) { try state.apply(effect) }

    func open(attempt sequence: UInt64, body: [UInt8]) throws(StorageError) {
        openAttempt.bind(Int64(clamping: sequence), at: 1)
        openAttempt.bind(body, at: 2)
        try openAttempt.run()
    }

    func close(attempt sequence: UInt64) throws(StorageError) {
        closeAttempt.bind(Int64(clamping: sequence), at: 1)
        try closeAttempt.run()
    }

    func count(_ key: FailureWindows.Key, at time: JournalTime) throws(StorageError) {
        count.bind(key.lane, at: 1)
        count.bind(key.reason, at: 2)
        count.bind(time.wallMilliseconds, at: 3)
        count.bind(time.monotonicMilliseconds, at: 4)
        count.bind(key.assurance ?? "", at: 5)
        try count.run()
    }

    func end(window key: FailureWindows.Key) throws(StorageError) {
        endWindow.bind(key.lane, at: 1)
        endWindow.bind(key.reason, at: 2)
        endWindow.bind(key.assurance ?? "", at: 3)
        try endWindow.run()
    }

    /// Lets the records up to and including `sequence` go. Answers the new anchor.
    func trim(_ partition: JournalPartition, through sequence: UInt64) throws(StorageError) -> JournalHead {
        guard let rows = rows[partition], let trim = trims[partition],
              let last = try rows.rows(after: sequence - 1, limit: 1).first, last.sequence == sequence
        else { throw StorageError(.corrupt, "Record \(sequence) of the \(partition.rawValue) chain is missing.") }
        let anchor = JournalHead(sequence: sequence, hash: last.hash)
        try set(anchor: anchor, of: partition)
        trim.bind(Int64(clamping: sequence), at: 1)
        try trim.run()
        return anchor
    }

    func set(anchor: JournalHead, of partition: JournalPartition) throws(StorageError) {
        setAnchor.bind(partition.rawValue, at: 1)
        setAnchor.bind(Int64(clamping: anchor.sequence), at: 2)
        setAnchor.bind(anchor.hash, at: 3)
        try setAnchor.run()
    }

    func set(_ collection: JournalCollection) throws(StorageError) {
        setCollection.bind(Int64(clamping: collection.through), at: 1)
        setCollection.bind(Int64(clamping: collection.overwritten), at: 2)
        try setCollection.run()
    }

    /// Empties the log at an orderly end.
    func finish() throws(StorageError) {
        try Self.checkpoint(connection, truncate: true)
    }
}
