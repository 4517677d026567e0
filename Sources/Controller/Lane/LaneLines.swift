import Gate
import Lines

/// The names under which the lines of one lane stand in the bank.
struct LaneLines: Equatable, Sendable {
    /// The relay.
    let relay: LineName
    /// The lights that are wired.
    let lights: [Light: LineName]

    /// All of them, the relay first.
    var all: [LineName] { [relay] + lights.values.sorted() }
}
