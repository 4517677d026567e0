/// A walk along a chain, row by row: each must follow from the one before it. Pure.
struct ChainWalk {
    /// The last row that followed.
    private(set) var position: JournalHead
    /// The checkpoints that were passed.
    private(set) var checkpoints: [KeptCheckpoint] = []
    /// What was passed of files that were set aside.
    private(set) var continuations: [JournalContinuation] = []

    /// The exchanges of which the records tell that were passed.
    private(set) var transcripts: [KeptTranscript] = []

    /// A walk rests after so many checkpoints: on a quiet gate every other record is one.
    private static let mostCheckpoints = 100
    /// Whether it is to rest.
    var isLaden: Bool { checkpoints.count >= Self.mostCheckpoints }
    /// What the first row followed from.
    private(set) var start: JournalHead

    /// The exchanges that were passed since the last call.
    mutating func drainTranscripts() -> [KeptTranscript] {
        defer { transcripts = [] }
        return transcripts
    }

    /// The checkpoints that were passed since the last call.
    mutating func drainCheckpoints() -> [KeptCheckpoint] {
        defer { checkpoints = [] }
        return checkpoints
    }

    init(from position: JournalHead) {
        self.position = position
        start = position
    }

    /// The ring has let go what comes before `anchor`.
    mutating func skip(to anchor: JournalHead) {
        if position == start { start = anchor }
        position = anchor
    }

    /// Why the row does not follow, nil if it does.
    mutating func step(_ row: JournalRows.Row, in partition: JournalPartition) -> String? {
        guard row.sequence == position.sequence + 1 else {
            return "record \(position.sequence + 1) is missing"
        }
        guard JournalChain.hash(after: position.hash, body: row.body) == row.hash else {
            return "its hash does not follow from the record before it"
        }
        guard let record = row.record, record.partition == partition else {
            return "its body does not say what its columns say"
        }
        position = JournalHead(sequence: record.sequence, hash: record.hash)
        if let continuation = record.entry.continuation(at: record.sequence) { continuations.append(continuation) }
        transcripts += KeptTranscript.all(of: record)
        if record.entry.kind == .checkpoint {
            checkpoints.append(KeptCheckpoint(sequence: record.sequence, bytes: record.entry.evidence))
        }
        return nil
    }
}
