/// The relay of one lane: at rest, or energised until a known instant (L1).
public enum Relay: Equatable, Sendable {
    /// The gate is shut.
    case rest
    /// The gate is released until `until`, whatever happens to readers, phones or configuration.
    case energised(until: Instant)

    /// Whether the relay is energised.
    public var isEnergised: Bool {
        switch self {
        case .rest: false
        case .energised: true
        }
    }
}
