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

    mutating func takeTimestamp(
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
