/// A copy of a journal in the hands of an auditor. It is walked along and never written; that it is the journal of a
/// gate at all is the first question.
public final class JournalCopy {
    private let connection: SQLiteConnection
    private let reader: JournalReader
    private static let stretch = 500
    private static let cacheKibibytes = 512

    /// Opens a copied `journal.db`. A log (`-wal`) that was copied with it belongs to it.
    /// - Throws: `database-corrupt` if it is no journal, `newer-schema` if this program is too old for it.
    public init(path: String) throws(StorageError) {
        let cut = path.lastIndex(of: "/")
        let folder = StorageFolder(path: cut.map { String(path[..<$0]) } ?? "."), name = cut.map { String(path[path.index(after: $0)...]) } ?? path
        guard let header = try folder.header(of: name, logged: true) else { throw StorageError(.corrupt, "\(path) is empty.") }
        try DatabaseSchema.journal.check(version: header.userVersion, owner: header.applicationIdentifier)
        let isLogged = folder.has(name + "-wal")
        connection = try SQLiteConnection(path: folder.path(of: name), access: isLogged ? .readWrite : .immutable, cacheKibibytes: Self.cacheKibibytes)
        reader = try JournalReader(connection)
    }

    /// Walks along a whole chain up to the newest record that the copy claims to have.
    /// - Parameters:
    ///   - onCheckpoint: told each checkpoint on the way.
    ///   - onContinuation: told of each file that was set aside.
    public func verify(
        _ partition: JournalPartition, onCheckpoint: (KeptCheckpoint) throws(StorageError) -> Void = { _ in },
        onContinuation: (JournalContinuation) -> Void = { _ in }
    ) throws(StorageError) -> JournalVerification {
        if let below = try reader.rowBelowAnchor(in: partition) { return below }
        let newest = try reader.newest(in: partition)
        let anchor = try reader.anchor(of: partition)
        var walk = ChainWalk(from: anchor)
        while walk.position.sequence < newest {
            let broken = try reader.walk(&walk, in: partition, to: newest, limit: Self.stretch)
            for kept in walk.takeCheckpoints() { try onCheckpoint(kept) }
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
