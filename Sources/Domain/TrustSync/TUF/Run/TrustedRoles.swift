/// What a run has verified of the roles below root.
struct TrustedRoles: Sendable {
    let timestamp: TimestampMetadata
    let snapshot: SnapshotMetadata
    private var files: [Edge: TargetsMetadata] = [:]
    private var latest: [RoleName: TargetsMetadata] = [:]

    init(_ timestamp: TimestampMetadata, _ snapshot: SnapshotMetadata) {
        self.timestamp = timestamp
        self.snapshot = snapshot
    }

    /// The file of a role on this way to it; nil if it is still to be verified.
    subscript(edge: Edge) -> TargetsMetadata? { files[edge] }

    /// The file of a role that was verified last.
    subscript(role: RoleName) -> TargetsMetadata? { latest[role] }

    mutating func add(_ metadata: TargetsMetadata, at edge: Edge) {
        files[edge] = metadata
        latest[edge.role] = metadata
    }
}
