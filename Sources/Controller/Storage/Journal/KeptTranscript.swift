/// Which exchange an outcome of the main chain tells of, in so far as it takes to find two of the same: the first bytes of its TH_4.
public struct KeptTranscript: Hashable, Sendable {
    /// The record.
    public let sequence: UInt64
    /// The first 8 bytes of TH_4, big-endian.
    public let start: UInt64

    private static let transcriptLength = 32

    /// Of a record; nil for one that tells of no exchange in which something was proved.
    init?(_ record: JournalRecord) {
        guard record.entry.kind == .outcome, record.entry.isProven, let transcript = record.entry.transcriptHash,
              transcript.count == Self.transcriptLength else { return nil }
        sequence = record.sequence
        start = transcript.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
