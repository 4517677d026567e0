/// How far a clock is to be believed.
public enum ClockTrust: Hashable, Sendable {
    /// Set by an outside source and kept since.
    case synchronised
    /// It was synchronised so many seconds ago and runs on by itself.
    case holdover(ageSeconds: Int64)
    /// Nothing is known; the reading is the floor or little more.
    case untrusted
}
