import Vocabulary

/// What an installer has decided for one lane. Times are milliseconds.
public struct LaneRules: Equatable, Sendable {
    /// How long the relay is energised (L1).
    public enum Hold: Equatable, Sendable {
        /// For the pulse.
        case pulse
        /// Until the passage begins, at the latest until the wait for it is over.
        case untilPassage
    }

    /// Which way the relay is held under a fire alarm (L4).
    public enum OnFire: Equatable, Sendable {
        /// The relay is held energised in that direction.
        case release(Direction)
        /// The relay stays as it is.
        case stay
    }

    /// How long the relay is energised (L1).
    public var pulse: Int64 = 500
    /// Whether a grant holds the relay until its passage begins.
    public var hold: Hold = .pulse
    /// The same of the relay that opens outwards; where there is none, those of the only one count.
    public var pulseOut: Int64 = 500
    public var holdOut: Hold = .pulse
    /// Whether each direction has a relay of its own; otherwise one relay serves both (a door).
    public var hasRelayOut = false
    /// How long a passage is waited for after a grant (L1).
    public var passageWait: Int64 = 5000
    /// A passage that takes longer is held (L5).
    public var heldAfter: Int64 = 10_000
    /// How long an alarm is shown.
    public var alarmTime: Int64 = 10_000
    /// Which inputs there are.
    public var inputs: Set<InputKind> = []
    /// What the fire alarm does to the relay (L4).
    public var onFire: OnFire = .release(.in)
    /// Whether a cut or shorted fire line counts as fire: life first.
    public var releasesOnFireFault = true
    /// Whether the request to exit lets people out of a lane that is locked down.
    public var requestToExitWhenLocked = true
    /// Which way free passage is free.
    public var freePassage: Direction = .in
    /// The mode that the switch sets.
    public var switchMode: LaneMode = .lockedDown
    /// Minimum delay after a success (T7); 0 switches it off.
    public var cooldownAfterSuccess: Int64 = 2000
    /// Minimum delay after a failure (T8); 0 switches it off.
    public var cooldownAfterFailure: Int64 = 500
    /// Minimum delay after a success over BLE by a phone in background, for that phone only (T9); 0 switches it off.
    public var backgroundCooldown: Int64 = 20_000
    /// How long granted or denied is shown.
    public var display: Int64 = 1000
    /// What becomes of an attempt that cannot be made durable.
    public var auditOnFailure: AuditFailurePolicy = .deny


    /// The defaults of the requirements L1, L3 and T7 to T9, but for what is given.
    public init(pulse: Int64 = 500, cooldownAfterSuccess: Int64 = 2000, cooldownAfterFailure: Int64 = 500,
                display: Int64 = 1000, auditOnFailure: AuditFailurePolicy = .deny) {
        self.pulse = pulse
        pulseOut = pulse
        self.cooldownAfterSuccess = cooldownAfterSuccess
        self.cooldownAfterFailure = cooldownAfterFailure
        self.display = display
        self.auditOnFailure = auditOnFailure
    }

    /// How long the relay of that direction is energised by a pulse.
    func pulse(_ direction: Direction) -> Int64 {
        hasRelayOut && direction == .out ? pulseOut : pulse
    }

    /// Whether the relay of that direction is held until the passage begins.
    func hold(_ direction: Direction) -> Hold {
        hasRelayOut && direction == .out ? holdOut : hold
    }
}
