/// What a run waits for.
enum UpdateState: Sendable {
    /// For `start`.
    case ready
    /// For the file of the last run.
    case loading(Loading)
    /// For a file of the repository.
    case fetching(FetchRequest, Fetching)
    /// For a file to be on the disk.
    case keeping(Keeping)
    /// For targets to be asked for.
    case refreshed(TrustedRoles)
    /// For nothing: it was refused.
    case over

    /// Which file of the last run.
    enum Loading: Sendable {
        /// That of the timestamp.
        case timestamp
        /// That of the snapshot; the timestamp was loaded.
        case snapshot(Remembered<TimestampMetadata>)
        /// That of a role that describes targets.
        case targets(Errand)
    }

    /// Which file of the repository.
    enum Fetching: Sendable {
        /// The next root.
        case root
        /// The timestamp; these are the files of the last run.
        case timestamp(TimestampMetadata?, SnapshotMetadata?)
        /// The snapshot that this timestamp names.
        case snapshot(TimestampMetadata)
        /// That of a role that describes targets.
        case targets(Errand)

        /// Whose file it is.
        var role: RoleName {
            switch self {
            case .root: .root
            case .timestamp: .timestamp
            case .snapshot: .snapshot
            case .targets(let errand): errand.edge.role
            }
        }
    }

    /// Which verified file.
    enum Keeping: Sendable {
        /// A new root.
        case root
        /// A new timestamp; the snapshot is that of the last run.
        case timestamp(TimestampMetadata, SnapshotMetadata?)
        /// A new snapshot, which the timestamp names.
        case snapshot(TimestampMetadata, SnapshotMetadata)
        /// That of a role that describes targets.
        case targets(Errand, TargetsMetadata)
    }

    /// The way to one role that describes targets, for the refresh or for a search.
    struct Errand: Sendable {
        let edge: Edge
        /// What the snapshot says of its file.
        let file: MetaFile
        /// Nil for the refresh.
        let search: Search?
        let trusted: TrustedRoles
    }
}
