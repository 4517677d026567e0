/// Reads rows of one partition in order of their sequence, over any connection.
struct JournalRows {
    /// A row as stored.
    struct Row {
        let sequence: UInt64
        let kind: String
        let wall: Int64
        let lane: String?
        let reason: String?
        let body: [UInt8]
        let hash: [UInt8]
        /// Whether each column has the type that it is written with. A text that lies there as bytes reads the same and is found by no condition.
        let isTyped: Bool

        /// The record it holds, nil if the body is none or says something else than the columns.
        var record: JournalRecord? {
            guard isTyped, let record = JournalBody.decode(body, hash: hash), record.sequence == sequence,
                  record.entry.kind.rawValue == kind, record.entry.time.wallMilliseconds == wall,
                  record.entry.lane == lane, record.entry.reason == reason
            else { return nil }
            return record
        }
    }

    private let after: SQLiteStatement
    private let anchor: SQLiteStatement
    private let filtered: SQLiteStatement
    private let rare: SQLiteStatement
    private let ends: SQLiteStatement
    /// Nil before the schema had an index.
    private let indexed: SQLiteStatement?
    let partition: JournalPartition

    /// - Parameter schema: the version of the file's.
    init(_ partition: JournalPartition, of connection: SQLiteConnection, schema: Int32 = DatabaseSchema.journal.version) throws(StorageError) {
        self.partition = partition
        let columns = "SELECT sequence, kind, wall, lane, reason, body, hash FROM \(partition.table)"
        after = try connection.prepare("\(columns) WHERE sequence > ?1 ORDER BY sequence LIMIT ?2")
        filtered = try connection.prepare(
            """
            \(columns) WHERE sequence >= ?1 AND (?3 IS NULL OR lane = ?3) AND (?4 IS NULL OR reason = ?4)
            AND (?5 IS NULL OR wall >= ?5) AND (?6 IS NULL OR kind = ?6) ORDER BY sequence LIMIT ?2
            """)
        // The index is used only where the statement says what the index says.
        rare = try connection.prepare(
            """
            \(columns) WHERE reason = ?4 AND reason <> '\(Self.frequent)' AND sequence >= ?1
            AND (?3 IS NULL OR lane = ?3) AND (?5 IS NULL OR wall >= ?5) AND (?6 IS NULL OR kind = ?6) ORDER BY sequence LIMIT ?2
            """)
        indexed = schema < 2 ? nil : try connection.prepare(
            """
            SELECT 1 FROM \(partition.table) INDEXED BY \(partition.table)_by_reason
            WHERE reason = ?1 AND reason <> '\(Self.frequent)' AND sequence = ?2
            """)
        ends = try connection.prepare("SELECT (SELECT min(sequence) FROM \(partition.table)), (SELECT max(sequence) FROM \(partition.table))")
        anchor = try connection.prepare("SELECT sequence, hash FROM anchor WHERE partition = ?1")
    }

    /// At most `limit` rows that follow `sequence`.
    func rows(after sequence: UInt64, limit: Int) throws(StorageError) -> [Row] {
        after.bind(Int64(clamping: sequence), at: 1)
        after.bind(Int64(limit), at: 2)
        return try rows(of: after)
    }

    /// At most `limit` rows from `sequence` on that the filter lets through.
    func rows(from sequence: UInt64, limit: Int, filter: JournalFilter) throws(StorageError) -> [Row] {
        let statement = filter.reason.map { $0 == Self.frequent } ?? true ? filtered : rare
        statement.bind(Int64(clamping: sequence), at: 1)
        statement.bind(Int64(limit), at: 2)
        statement.bind(filter.lane, at: 3)
        statement.bind(filter.reason, at: 4)
        statement.bind(filter.sinceMilliseconds, at: 5)
        statement.bind(filter.kind, at: 6)
        return try rows(of: statement)
    }

    /// The reason that no index has: nearly every record of a gate in order.
    private static let frequent = "granted"

    private func rows(of statement: SQLiteStatement) throws(StorageError) -> [Row] {
        defer { statement.reset() }
        var rows: [Row] = []
        while try statement.step() {
            rows.append(Row(
                sequence: UInt64(clamping: statement.integer(0)), kind: statement.text(1), wall: statement.integer(2),
                lane: statement.optionalText(3), reason: statement.optionalText(4),
                body: statement.bytes(5), hash: statement.bytes(6), isTyped: Self.isTyped(statement)))
        }
        return rows
    }

    private static func isTyped(_ row: SQLiteStatement) -> Bool {
        row.type(0) == .integer && row.type(1) == .text && row.type(2) == .integer && [.text, .null].contains(row.type(3))
            && [.text, .null].contains(row.type(4)) && row.type(5) == .blob && row.type(6) == .blob
    }

    /// Why whoever asks for its reason does not find a row that is there; nil if it is found.
    func whyHidden(_ row: Row) throws(StorageError) -> String? {
        guard let indexed, let reason = row.reason, reason != Self.frequent else { return nil }
        defer { indexed.reset() }
        indexed.bind(reason, at: 1)
        indexed.bind(Int64(clamping: row.sequence), at: 2)
        let isFound = try indexed.step()
        return isFound ? nil : Self.notIndexed
    }

    private static let notIndexed = "the index does not have it: who asks for its reason does not find it"

    /// What the oldest record kept follows from.
    func anchorHead() throws(StorageError) -> JournalHead {
        anchor.bind(partition.rawValue, at: 1)
        defer { anchor.reset() }
        guard try anchor.step() else { return .none }
        let head = JournalHead(sequence: UInt64(clamping: anchor.integer(0)), hash: anchor.bytes(1))
        // Before a record was let go there is no anchor.
        guard head.hash.count == 32, head.sequence > 0 else { throw StorageError(.corrupt, "The journal's anchor is damaged.") }
        return head
    }

    /// The lowest and the highest number that a row has, whatever it is; nil if there is no row.
    func numbers() throws(StorageError) -> ClosedRange<Int64>? {
        defer { ends.reset() }
        guard try ends.step(), let lowest = ends.optionalInteger(0) else { return nil }
        return lowest...max(lowest, ends.integer(1))
    }

    /// A row where none can be: at or below the anchor, which says that it was let go. No walk goes along it. Nil if there is none.
    func rowBelowAnchor() throws(StorageError) -> JournalVerification? {
        let anchor = try anchorHead()
        guard let lowest = try numbers()?.lowerBound, lowest <= Int64(clamping: anchor.sequence) else { return nil }
        return .broken(
            sequence: UInt64(clamping: lowest),
            why: "it is there (as number \(lowest)), and the anchor says that everything up to \(anchor.sequence) was let go")
    }
}
