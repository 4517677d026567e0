/// Which exchange an outcome of the main chain tells of, in so far as it takes to find two of the same: the first bytes of its TH_4, and of the TH_2 of
/// its attempt. TH_4 covers the phone's signature, of which anybody can make a second one that holds as well (r, n - s).
public struct KeptTranscript: Hashable, Sendable {
    /// The record.
    public let sequence: UInt64
    /// The first 8 bytes of TH_4 or TH_2, big-endian.
    public let start: UInt64

    private static let transcriptLength = 32

    /// Of a record; none for one that tells of no exchange in which something was proved.
    static func all(of record: JournalRecord) -> [KeptTranscript] {
        guard record.entry.kind == .outcome, record.entry.isProven else { return [] }
        return [record.entry.transcriptHash, record.attempt?.transcriptHash].compactMap { $0 }.filter { $0.count == transcriptLength }.map {
            KeptTranscript(sequence: record.sequence, start: $0.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
        }
    }
}
