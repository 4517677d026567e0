/// One minimum delay that is running (T7, T8, T9).
public struct Cooldown: Equatable, Sendable {
    /// What started it.
    public enum Kind: Equatable, Sendable {
        /// A granted passage: the lane has a cooldown for every carrier.
        case success
        /// A failed attempt: only that carrier has a cooldown.
        case failure
        /// A granted passage: that phone has a cooldown over BLE (T7), and longer after one over BLE in background (T9).
        case phone
    }

    /// What started it.
    public let kind: Kind
    /// The first instant at which the next run may be granted.
    public let ends: Instant

    /// A cooldown of `kind` that ends at `ends`.
    public init(kind: Kind, ends: Instant) {
        self.kind = kind
        self.ends = ends
    }
}
