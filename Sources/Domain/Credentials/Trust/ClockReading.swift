/// What the gate knows about the time of day.
public struct ClockReading: Hashable, Sendable {
    /// UNIX seconds, never below the floor.
    public let seconds: Int64
    /// How far it is to be believed.
    public let trust: ClockTrust
    /// Whether somebody besides the machine's own clock has confirmed it since the boot. What nobody confirmed serves people, and opens
    /// nothing by itself.
    public let isConfirmed: Bool

    /// A reading.
    public init(seconds: Int64, trust: ClockTrust, isConfirmed: Bool = true) {
        self.seconds = seconds
        self.trust = trust
        self.isConfirmed = isConfirmed
    }
}
