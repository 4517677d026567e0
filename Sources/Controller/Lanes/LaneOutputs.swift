import Gate
import Lines

/// What is on the lines of one lane at this moment, as far as writing them worked.
struct LaneOutputs {
    /// The relays that were written energised and not yet de-energised: two only where one of them is not de-energised and people must
    /// get out.
    var energised: Set<LineName> = []
    /// A relay that was to be energised and whose write failed: it may be energised all the same.
    var doubtful: LineName?
    /// The relays that are energised and are to be de-energised, as far as that was said.
    var stuckOn: Set<LineName> = []
    /// The signal of which subscribers were last told.
    var indicator: Signal?
    /// The lines that failed, and how.
    var failures: [LineName: LineError] = [:]
    /// The lines whose wiring is not safe by itself, as far as that was said.
    var unsafe: Set<LineName> = []
    /// Since when somebody has been writing to lines, in monotonic milliseconds; nil while nobody does.
    var drivenSince: Int64?
    /// When lines that failed are tried again.
    var probe: Instant?
}
