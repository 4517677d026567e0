/// Finds exchanges that stand in a journal twice. Both sides put a fresh key into each, so that a second record of the same one was
/// put there by somebody, with a grant that never was. Pure; 32 bytes for each record that it is told of.
struct TranscriptReview: Sendable {
    private var seen: [(start: UInt64, sequence: UInt64)] = []

    /// - Parameter start: the first 8 bytes of TH_4, or of the TH_2 of its attempt.
    mutating func passed(_ start: UInt64, at sequence: UInt64) { seen.append((start, sequence)) }

    /// The records that tell of an exchange of which an earlier one tells, oldest first.
    var repeated: [UInt64] {
        let sorted = seen.sorted { ($0.start, $0.sequence) < ($1.start, $1.sequence) }
        return Set(zip(sorted, sorted.dropFirst()).filter { $0.start == $1.start && $0.sequence != $1.sequence }.map { $1.sequence }).sorted()
    }
}
