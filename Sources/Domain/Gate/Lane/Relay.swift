import Vocabulary

/// What energises the relays of a lane: nothing, or one grant in one direction (L1). Two directions at once cannot be said.
public enum Relay: Equatable, Sendable {
    /// The gate is shut, as far as grants go.
    case deenergised
    /// The gate is released in `direction` until `until`, whatever happens to readers, phones or configuration.
    case energised(Direction, until: Instant)

    /// Whether a relay is energised.
    public var isEnergised: Bool { direction != nil }

    /// When it is de-energised.
    public var until: Instant? {
        switch self {
        case .deenergised: nil
        case .energised(_, let until): until
        }
    }

    /// The direction that is released.
    public var direction: Direction? {
        switch self {
        case .deenergised: nil
        case .energised(let direction, _): direction
        }
    }
}
