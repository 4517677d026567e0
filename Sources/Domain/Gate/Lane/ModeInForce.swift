/// The mode of a lane at one moment, and whose it is.
public struct ModeInForce: Hashable, Sendable {
    /// The mode.
    public let mode: LaneMode
    /// Which way it holds the lane open; nil where it holds nothing open.
    public let direction: Direction?
    /// Whose it is.
    public let source: ModeSource
}
