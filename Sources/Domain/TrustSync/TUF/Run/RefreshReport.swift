/// What a refresh came to.
public struct RefreshReport: Hashable, Sendable {
    /// The roles of which this run kept a new file, in the order in which it did.
    public let changed: [RoleName]
    /// When the first of the four roles expires, UNIX seconds.
    public let expires: Int64
    /// The timestamp.
    public let timestamp: TimestampMetadata
    /// The snapshot.
    public let snapshot: SnapshotMetadata
    /// The top role that describes targets.
    public let targets: TargetsMetadata
}
