/// How far the wall clock can be believed.
public enum TimeTrust: Hashable, Sendable {
    /// The kernel says that something keeps the clock synchronised.
    case synchronised
    /// It was synchronised that long ago and has run on by itself since.
    case holdover(ageSeconds: Int64)
    /// Nobody vouches for it.
    case untrusted
}
