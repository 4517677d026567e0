/// What a reset of the clock's floor came to.
public struct FloorReset: Hashable, Sendable {
    /// The floor before, milliseconds since 1970.
    public let before: Int64
    /// The floor from now on, milliseconds since 1970.
    public let after: Int64
    /// The time as it is read from now on.
    public let now: WallTime
}
