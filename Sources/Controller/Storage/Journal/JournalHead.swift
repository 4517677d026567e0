/// The end of a hash chain: the newest record's place and hash.
public struct JournalHead: Hashable, Sendable {
    /// The record's sequence number; 0 before the first record.
    public let sequence: UInt64
    /// 32 bytes: SHA-256(previous hash || deterministic CBOR of the record); all zero before the first.
    public let hash: [UInt8]

    /// A head.
    public init(sequence: UInt64, hash: [UInt8]) {
        self.sequence = sequence
        self.hash = hash
    }

    /// The head of a chain that has no record yet.
    public static let none = JournalHead(sequence: 0, hash: [UInt8](repeating: 0, count: 32))
}
