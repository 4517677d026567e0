/// The zones on both sides of a lane; nil is outside.
struct LaneZones: Equatable, Sendable {
    /// Where it leads inwards.
    let inner: String?
    /// What lies before it.
    let outer: String?
}
