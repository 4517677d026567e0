/// A change of a zone's offset from UTC.
public struct TimeZoneTransition: Hashable, Sendable {
    /// The first UNIX second with the new offset.
    public let at: Int64
    /// Seconds east of UTC until then.
    public let before: Int64
    /// Seconds east of UTC from then on.
    public let after: Int64
}
