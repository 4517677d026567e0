/// Reads the journal over a connection of its own, beside the writer.
final class JournalReader {
    private let connection: SQLiteConnection
    private let rows: [JournalPartition: JournalRows]
    private let schema: SchemaWatch

    convenience init(_ opening: JournalOpening) throws(StorageError) {
        try self.init(JournalFile.connect(
            opening.folder, lockWait: opening.settings.lockWaitMilliseconds, fileSystem: opening.fileSystem))
    }

    /// Reads over a connection of its own.
    /// - Parameter schema: the version of the file's.
    init(_ connection: SQLiteConnection, schema: Int32 = DatabaseSchema.journal.version) throws(StorageError) {
        self.connection = connection
        try connection.execute("PRAGMA query_only = ON")
        self.schema = try SchemaWatch(of: connection, schema: schema)
        var rows: [JournalPartition: JournalRows] = [:]
        for partition in JournalPartition.allCases { rows[partition] = try JournalRows(partition, of: connection, schema: schema) }
        self.rows = rows
    }

    // The ring may let records go between two reads: they are one transaction.
    private func begin() throws(StorageError) {
        try connection.execute("BEGIN")
        do throws(StorageError) { try schema.look() } catch {
            finish()
            throw error
        }
    }

    private func finish() { try? connection.execute("COMMIT") }

    func read(from sequence: UInt64, limit: Int, filter: JournalFilter) throws(StorageError) -> [JournalRecord] {
        guard let rows = rows[filter.partition] else { return [] }
        try begin()
        defer { finish() }
        var records: [JournalRecord] = []
        // What lies at or below the anchor follows from nothing.
        let oldest = try rows.anchorHead().sequence + 1
        for row in try rows.rows(from: max(sequence, oldest), limit: limit, filter: filter) {
            guard let record = row.record else {
                throw StorageError(.recordDamaged, "Record \(row.sequence) of the \(filter.partition.rawValue) chain was changed.")
            }
            records.append(record)
        }
        return records
    }

    /// Goes a bounded number of records along the chain. Answers what is broken, nil if nothing is so far.
    /// Both reads are one transaction: the ring may let records go meanwhile.
    func walk(
        _ walk: inout ChainWalk, in partition: JournalPartition, to end: UInt64, limit: Int
    ) throws(StorageError) -> JournalVerification? {
        guard let rows = rows[partition] else { return nil }
        try begin()
        defer { finish() }
        if let below = try rows.rowBelowAnchor() { return below }
        let anchor = try rows.anchorHead()
        if anchor.sequence > walk.position.sequence { walk.skip(to: anchor) }
        let found = try rows.rows(after: walk.position.sequence, limit: limit)
        // A row beyond the end, which was appended meanwhile, shows what is missing before it.
        for row in found where walk.position.sequence < end || row.sequence == walk.position.sequence + 1 {
            if walk.isLaden { return nil }
            if let why = walk.step(row, in: partition) { return .broken(sequence: row.sequence, why: why) }
            if let why = try rows.whyHidden(row) { return .broken(sequence: row.sequence, why: why) }
        }
        guard !found.isEmpty || walk.position.sequence >= end else {
            return .broken(sequence: walk.position.sequence + 1, why: "it is missing")
        }
        return nil
    }

    /// A record with the hash that it follows from; nil if the chain has no such record (any more). Both are read in
    /// one transaction: the ring may let records go meanwhile.
    func chained(_ sequence: UInt64, in partition: JournalPartition) throws(StorageError) -> ChainedRecord? {
        guard let rows = rows[partition] else { return nil }
        try begin()
        defer { finish() }
        let anchor = try rows.anchorHead()
        guard sequence > anchor.sequence else { return nil }
        let isOldest = sequence - 1 == anchor.sequence
        var found = try rows.rows(after: isOldest ? anchor.sequence : sequence - 2, limit: isOldest ? 1 : 2)
        guard let row = found.popLast(), row.sequence == sequence else { return nil }
        var walk = ChainWalk(from: isOldest ? anchor : JournalHead(sequence: sequence - 1, hash: found.last?.hash ?? []))
        if let why = walk.step(row, in: partition) { throw StorageError(.recordDamaged, "Record \(sequence): \(why).") }
        guard let record = row.record else { return nil }
        return ChainedRecord(record: record, previous: isOldest ? anchor.hash : found.last?.hash ?? [])
    }

    /// What a chain has at a place.
    func place(of sequence: UInt64, in partition: JournalPartition) throws(StorageError) -> JournalPlace {
        guard let rows = rows[partition] else { return .beyond }
        try begin()
        defer { finish() }
        let anchor = try rows.anchorHead()
        guard sequence > anchor.sequence else { return sequence == anchor.sequence ? .hash(anchor.hash) : .letGo }
        // A record that is missing in the middle is found by the walk along the chain.
        guard let row = try rows.rows(after: sequence - 1, limit: 1).first else { return .beyond }
        return .hash(row.sequence == sequence ? row.hash : [])
    }

    func anchor(of partition: JournalPartition) throws(StorageError) -> JournalHead {
        try rows[partition]?.anchorHead() ?? .none
    }

    /// The highest number that a row has; 0 if there is none.
    func newest(in partition: JournalPartition) throws(StorageError) -> UInt64 {
        UInt64(clamping: try rows[partition]?.numbers()?.upperBound ?? 0)
    }

    /// A row at or below the anchor.
    func rowBelowAnchor(in partition: JournalPartition) throws(StorageError) -> JournalVerification? {
        try rows[partition]?.rowBelowAnchor()
    }
}
