import Vocabulary

/// How a lane treats people on their way through it, and what overrides its rules: part of `[[lane]]`.
public struct PassageSettings: Hashable, Sendable {
    /// L1: how long a passage is waited for after a grant. Milliseconds.
    public var waitMilliseconds: Int
    /// L5: a passage that takes longer is held. Milliseconds.
    public var heldAfterMilliseconds: Int
    /// How long an alarm is shown. Milliseconds.
    public var alarmMilliseconds: Int
    /// L4: which way the relay is held under a fire alarm; nil for outwards where there is a relay for that, else inwards.
    public var onFire: FireDirection?
    /// Whether a fire line whose wire is cut or shorted counts as fire.
    public var onFireLineFault: FireLineFaultPolicy
    /// Whether the request to exit lets people out of a lane that is locked down.
    public var requestToExitWhenLocked: Bool
    /// Which way free passage, and a lane held open, is free.
    public var freePassage: Direction
    /// T11: whether phones may run commands by themselves.
    public var automatic: Bool
    /// T9: pause after a success over BLE by a phone in background, for that phone only. Milliseconds, 0 switches it off.
    public var bleBackgroundCooldownMilliseconds: Int

    public init(waitMilliseconds: Int = 5000, heldAfterMilliseconds: Int = 10_000, alarmMilliseconds: Int = 10_000,
                onFire: FireDirection? = nil, onFireLineFault: FireLineFaultPolicy = .release, requestToExitWhenLocked: Bool = true,
                freePassage: Direction = .in, automatic: Bool = true, bleBackgroundCooldownMilliseconds: Int = 20_000) {
        self.waitMilliseconds = waitMilliseconds
        self.heldAfterMilliseconds = heldAfterMilliseconds
        self.alarmMilliseconds = alarmMilliseconds
        self.onFire = onFire
        self.onFireLineFault = onFireLineFault
        self.requestToExitWhenLocked = requestToExitWhenLocked
        self.freePassage = freePassage
        self.automatic = automatic
        self.bleBackgroundCooldownMilliseconds = bleBackgroundCooldownMilliseconds
    }
}

/// What a fire alarm makes of a lane's relay.
public enum FireDirection: String, Hashable, Sendable, CaseIterable {
    case out, `in`
    /// The relay goes on as it is.
    case stay
}

/// What a fire line makes of a lane whose wire is cut or shorted.
public enum FireLineFaultPolicy: String, Hashable, Sendable, CaseIterable {
    /// As a fire alarm does: life first.
    case release
    /// Nothing; it is recorded.
    case stay
}
