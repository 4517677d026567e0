/// A walk along a chain, row by row: each must follow from the one before it. Pure.
struct ChainWalk {
    /// The last row that followed.
    private(set) var position: JournalHead

    init(from position: JournalHead) { self.position = position }

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
        return nil
    }
}
