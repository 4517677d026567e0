import Gate

/// How a lane is at one moment, for `status`.
public struct LaneSnapshot: Equatable, Sendable {
    /// The light people see.
    public let light: Light
    /// Whether the relay is energised.
    public let relay: Bool
    /// What keeps the lane out of service, in a stable order.
    public let faults: [LaneFault]
}
