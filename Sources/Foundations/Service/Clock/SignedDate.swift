/// A signature shows that a time has come: whoever signed was there no earlier.
///
/// It moves no clock by itself, for the key may be stolen: it decides whether a reading of the machine's clock counts that agrees with it.
public struct SignedDate: Hashable, Sendable {
    /// Who signed, by what they usually sign.
    public enum Signer: String, Sendable {
        /// The timestamp of a repository: every hour.
        case timestamp
        /// A single file, which programs before the first release took: on the same day. The clock's memory may name one still.
        case publication

        /// Milliseconds after the date in which it vouches for a reading.
        var interval: Int64 {
            switch self {
            case .timestamp: 3_600_000
            case .publication: 86_400_000
            }
        }
    }

    /// Milliseconds by which the signer's clock may be ahead.
    static let skew: Int64 = 60_000

    let signer: Signer
    /// Milliseconds since 1970.
    let date: Int64
    /// When the gate first saw it: milliseconds of this boot by the oscillator.
    let seenAt: Int64

    /// Whether a clock that is ahead of the oscillator's count by `lead` milliseconds agrees with it.
    func supports(lead: Int64) -> Bool { (earliestLead...date - seenAt + signer.interval).contains(lead) }

    /// Whether a clock that is ahead by `lead` milliseconds at most must be wrong.
    func refutes(lead: Int64) -> Bool { earliestLead > lead }

    private var earliestLead: Int64 { date - seenAt - Self.skew }
}
