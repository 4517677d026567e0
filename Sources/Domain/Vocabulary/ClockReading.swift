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

/// How far a clock is to be believed.
public enum ClockTrust: Hashable, Sendable {
    /// The kernel says that something keeps the clock synchronised, or the installer vouches for it.
    case synchronised
    /// It was synchronised so many seconds ago and runs on by itself.
    case holdover(ageSeconds: Int64)
    /// Nothing is known; the reading is the floor or little more.
    case untrusted

    /// The level in one word, for status, log and journal.
    public var word: String {
        switch self {
        case .synchronised: "synchronised"
        case .holdover: "holdover"
        case .untrusted: "untrusted"
        }
    }
}
