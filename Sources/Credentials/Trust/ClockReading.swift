/// What the gate knows about the time of day.
public struct ClockReading: Hashable, Sendable {
    /// UNIX seconds, never below the floor.
    public let seconds: Int64
    /// How far it is to be believed.
    public let trust: ClockTrust

    /// A reading.
    public init(seconds: Int64, trust: ClockTrust) {
        self.seconds = seconds
        self.trust = trust
    }
}
