import Gate
import Lines

/// How a lane is at one moment, for `status`.
public struct LaneSnapshot: Sendable {
    /// The light people see.
    public let light: Signal
    /// What it is at this moment.
    public let state: LaneState
    /// The mode in force.
    public let mode: LaneMode
    /// Whose mode that is.
    public let modeSource: ModeSource
    /// Whether it raises alarms.
    public let isArmed: Bool
    /// Whether the relay was last written energised: what is on the line, not what is wanted.
    public let relay: Bool
    /// The relays that should be de-energised and could not be.
    public let stuckOn: [LineName]
    /// What keeps the lane out of service, in a stable order.
    public let faults: [LaneFault]
    /// The lines that were energised before the gate took them.
    public let unsafeLines: [LineName]
    /// The lines that failed, and how.
    public let lineFailures: [LineName: LineError]
}
