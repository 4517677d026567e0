/// The timestamp (TUF specification, 5.4).
extension Update {
    mutating func rememberTimestamp(_ bytes: [UInt8]?) -> UpdateAction {
        let timestamp = Remembered<TimestampMetadata>(bytes, by: root.signers(of: .timestamp))
        return recall(.snapshot(timestamp), .snapshot)
    }

    /// If one of the two files has the signature of no key that counts today, its keys were replaced in a run that
    /// this one knows nothing of: then the other one is forgotten too.
    mutating func remember(_ timestamp: Remembered<TimestampMetadata>, snapshot bytes: [UInt8]?) -> UpdateAction {
        let snapshot = Remembered<SnapshotMetadata>(bytes, by: root.signers(of: .snapshot))
        guard !timestamp.isOfReplacedKeys, !snapshot.isOfReplacedKeys else { return askForTimestamp(nil, nil) }
        if let known = timestamp.body { versions.raise(by: known) }
        if let known = snapshot.body { versions.raise(by: known) }
        return askForTimestamp(timestamp.body, snapshot.body)
    }

    mutating func askForTimestamp(_ known: TimestampMetadata?, _ snapshot: SnapshotMetadata?) -> UpdateAction {
        ask(.timestamp(known, snapshot), RoleName.timestamp.fileName, limit: limits.timestamp)
    }

    mutating func acceptTimestamp(
        _ bytes: [UInt8], _ known: TimestampMetadata?, _ snapshot: SnapshotMetadata?
    ) throws(UpdateRefusal) -> UpdateAction {
        let timestamp: TimestampMetadata = try verified(bytes, .timestamp, by: root.signers(of: .timestamp))
        try checkRollback(.timestamp, says: .timestamp, timestamp.header.version)
        // Of one version there is one file: the other one is not even looked at.
        if let known, known.header.version == timestamp.header.version {
            try checkTimes(known.header, .timestamp)
            return try seekSnapshot(known, known: snapshot)
        }
        try checkRollback(.timestamp, says: .snapshot, timestamp.snapshot.version)
        try checkTimes(timestamp.header, .timestamp)
        versions.raise(by: timestamp)
        return keep(.timestamp(timestamp, snapshot), .timestamp, bytes)
    }
}

/// What the caller of an `Update` is to do next. Each says with which call it is answered.
public enum UpdateAction: Hashable, Sendable {
    /// Read a role's file of the last run: `loaded`, with nil where there is none or one of more bytes than this.
    case load(RoleName, limit: Int)
    /// Fetch a file of metadata: `fetched` with its bytes as they came, or `notFetched`.
    case fetch(FetchRequest)
    /// Put a verified file in the place of the role's old one, byte for byte: `kept` when it is on the disk. Before it,
    /// in this order: write down `Update.versions` (where a floor is kept), and remove the files of the roles to be
    /// forgotten. Whatever is cut off in between, the next run finds nothing that is wrong.
    case keep(RoleName, [UInt8], forgetting: [RoleName])
    /// The four roles are up to date: targets may be asked for with `find`, one after the other.
    case refreshed(RefreshReport)
    /// A target was found. To be fetched by its `request` and held against `TargetCheck`; the next `find` may follow.
    case found(FoundTarget)
    /// No role that may describe it knows the target; these were asked. The next `find` may follow.
    case notFound(TargetPath, visited: [RoleName])
    /// The run is over. What was kept stays, and the next run begins with it.
    case refused(UpdateRefusal)
}

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
