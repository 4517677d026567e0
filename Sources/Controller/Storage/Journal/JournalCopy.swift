import Files
import Threads

/// A copy of a journal in the hands of an auditor. It is walked along, and neither it nor what lies beside it is ever changed; that it is
/// the journal of a gate at all is the first question.
public final class JournalCopy {
    private let connection: SQLiteConnection
    private let limit: StepLimit
    private let reader: JournalReader
    private static let stretch = 500
    private static let cacheKibibytes = 512
    /// Steps for each byte of the file, and those that an empty one takes: some ten times what the smallest records need.
    private static let steps = (ofByte: 16, always: 20_000_000)

    /// Opens a copied `journal.db`. A log (`-wal`) that was copied with it belongs to it, and is read in a private copy of both.
    /// - Throws: `database-corrupt` if it is no journal or damaged, `journal-schema-differs`, `newer-schema` if this program is too old for it.
    public init(path: String) throws(StorageError) {
        let cut = path.lastIndex(of: "/")
        let folder = StorageFolder(path: cut.map { String(path[..<$0]) } ?? "."), name = cut.map { String(path[path.index(after: $0)...]) } ?? path
        let file = try StorageFolder.openWithoutHoles(path)
        let size = try withStorageErrors { () throws(SystemError) in try file.size() }
        guard let header = try folder.header(of: name, logged: true) else { throw StorageError(.corrupt, "\(path) is empty.") }
        try DatabaseSchema.journal.check(version: header.userVersion, owner: header.applicationIdentifier)
        let connection = try folder.has(name + "-wal")
            ? Self.connectCopy(of: path) : SQLiteConnection(path: folder.path(of: name), access: .immutable, cacheKibibytes: Self.cacheKibibytes)
        self.connection = connection
        limit = StepLimit(of: connection, steps: Self.steps.always + Self.steps.ofByte * size)
        let version = Int32(truncatingIfNeeded: try connection.integer("PRAGMA user_version"))
        guard (1...DatabaseSchema.journal.version).contains(version) else { throw StorageError(.corrupt, "\(path) is no journal.") }
        reader = try JournalReader(connection, schema: version)
        try Self.checkIntegrity(connection)
    }

    /// The connection to a copy of the database and its log, which has no name any more.
    private static func connectCopy(of path: String) throws(StorageError) -> SQLiteConnection {
        let copy = try PrivateCopy(of: path)
        defer { copy.remove() }
        let connection = try SQLiteConnection(path: copy.path, access: .readWrite, cacheKibibytes: cacheKibibytes)
        // The index of the log is kept in memory then, and nothing is opened by its name later.
        try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        _ = try connection.integer("SELECT count(*) FROM sqlite_master")
        return connection
    }

    private static func checkIntegrity(_ connection: SQLiteConnection) throws(StorageError) {
        let found = try connection.prepare("PRAGMA integrity_check(3)")
        var words: [String] = []
        while try found.step() { words.append(found.text(0)) }
        guard words == ["ok"] else {
            throw StorageError(.corrupt, "SQLite's integrity check says: \(words.joined(separator: "; ")).")
        }
    }

    /// Walks along a whole chain up to the newest record that the copy claims to have.
    /// - Parameters:
    ///   - onCheckpoint: told each checkpoint on the way.
    ///   - onContinuation: told of each file that was set aside.
    ///   - onTranscript: told of each exchange.
    public func verify(
        _ partition: JournalPartition, onCheckpoint: (KeptCheckpoint) throws(StorageError) -> Void = { _ in },
        onContinuation: (JournalContinuation) -> Void = { _ in }, onTranscript: (KeptTranscript) -> Void = { _ in }
    ) throws(StorageError) -> JournalVerification {
        if let below = try reader.rowBelowAnchor(in: partition) { return below }
        let newest = try reader.newest(in: partition)
        let anchor = try reader.anchor(of: partition)
        var walk = ChainWalk(from: anchor)
        while walk.position.sequence < newest {
            let broken = try reader.walk(&walk, in: partition, to: newest, limit: Self.stretch)
            for kept in walk.drainCheckpoints() { try onCheckpoint(kept) }
            walk.drainTranscripts().forEach(onTranscript)
            if let broken { return broken }
        }
        walk.continuations.forEach(onContinuation)
        return .intact(first: anchor.sequence + 1, head: walk.position)
    }

    /// What a chain has at a place.
    public func place(of sequence: UInt64, in partition: JournalPartition) throws(StorageError) -> JournalPlace {
        try reader.place(of: sequence, in: partition)
    }

    /// At most `limit` records of the main chain with this reason, the oldest first.
    public func read(reason: String, limit: Int) throws(StorageError) -> [JournalRecord] {
        try reader.read(from: 1, limit: limit, filter: JournalFilter(reason: reason))
    }
}

/// What the journal has at one place of a chain.
public enum JournalPlace: Hashable, Sendable {
    /// A record with this hash; or it is the one that the oldest record kept follows from.
    case hash([UInt8])
    /// The ring has let it go.
    case letGo
    /// The chain ends before it.
    case beyond
}

/// Which records a reading wants.
public struct JournalFilter: Hashable, Sendable {
    /// The chain to read.
    public var partition: JournalPartition
    /// Only this lane.
    public var lane: String?
    /// Only this reason code.
    public var reason: String?
    /// Only records of this kind (`JournalKind.rawValue`).
    public var kind: String?
    /// Only records of this UNIX time in milliseconds or later.
    public var sinceMilliseconds: Int64?

    /// Everything of the main chain unless said otherwise.
    public init(
        partition: JournalPartition = .main, lane: String? = nil, reason: String? = nil, kind: String? = nil,
        sinceMilliseconds: Int64? = nil
    ) {
        self.partition = partition
        self.lane = lane
        self.reason = reason
        self.kind = kind
        self.sinceMilliseconds = sinceMilliseconds
    }
}
