/// A lane that is out of service because somebody tries what is wired to it (O2): taps are refused, and the only thing that
/// energises a relay is the test itself, each time until a known instant.
struct LaneTest: Equatable, Sendable {
    /// The relay as the test wants it.
    var relay: Relay = .deenergised
}
