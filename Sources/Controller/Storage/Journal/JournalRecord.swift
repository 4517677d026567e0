/// One record as it stands in the journal.
public struct JournalRecord: Hashable, Sendable {
    /// The chain it is in.
    public let partition: JournalPartition
    /// Its place in that chain, from 1, without gaps.
    public let sequence: UInt64
    /// The boot during which it was written (16 bytes, from the caller of `Journal.open`).
    public let boot: [UInt8]
    /// What it tells.
    public let entry: JournalEntry
    /// In an outcome of the main chain: the attempt it closes, so that the chain speaks for itself.
    public let attempt: JournalEntry?
    /// The deterministic CBOR that the hash covers.
    public let body: [UInt8]
    /// SHA-256(previous hash || body).
    public let hash: [UInt8]
}
