/// What the sensors of a lane's passage see: at most one passage each.
struct PassageSensors: Equatable, Sendable {
    /// The passages by the direction of their sensor. The only sensor of a door is that of `inward`.
    var passages: [Direction: Passage] = [:]
    /// The sensors that cannot be read.
    var unseen: Set<Direction> = []

    /// The passages in a stable order.
    var all: [Passage] { Direction.allCases.compactMap { passages[$0] } }
}
