import Gate
import Lines

/// What is on the lines of one lane at this moment, as far as writing them worked.
struct LaneOutputs {
    /// The relay was last written energised.
    var relay = false
    /// The light that was last shown.
    var light: Light?
    /// The lines that failed, and how.
    var failures: [LineName: LineError] = [:]
    /// The lines whose wiring is not safe by itself, as far as that was said.
    var unsafe: Set<LineName> = []
    /// Since when somebody has been writing to lines, in monotonic milliseconds; nil while nobody does.
    var drivenSince: Int64?
    /// When lines that failed are tried again.
    var probe: Instant?
}
