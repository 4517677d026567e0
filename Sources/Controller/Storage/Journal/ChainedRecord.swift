/// A record and what it follows from: together they have the record's hash.
public struct ChainedRecord: Hashable, Sendable {
    /// The record.
    public let record: JournalRecord
    /// The hash of the record before it, 32 bytes; all zero before the first.
    public let previous: [UInt8]
}
