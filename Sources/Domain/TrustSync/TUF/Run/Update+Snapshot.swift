/// The snapshot (TUF specification, 5.5).
extension Update {
    /// The snapshot of the last run is used if it is the one that the timestamp names. Its hash is not asked for: it was
    /// when it was fetched.
    mutating func seekSnapshot(_ timestamp: TimestampMetadata, known: SnapshotMetadata?) throws(UpdateRefusal) -> UpdateAction {
        if let known, known.header.version == timestamp.snapshot.version, (try? checkTimes(known.header, .snapshot)) != nil {
            try checkList(known)
            return try seekTopTargets(TrustedRoles(timestamp, known))
        }
        let name = fileName(.snapshot, version: timestamp.snapshot.version)
        return ask(.snapshot(timestamp), name, limit: limits.bytes(of: .snapshot, saidToBe: timestamp.snapshot.length))
    }

    mutating func takeSnapshot(_ bytes: [UInt8], _ timestamp: TimestampMetadata) throws(UpdateRefusal) -> UpdateAction {
        if let objection = timestamp.snapshot.objection(to: bytes) { throw UpdateRefusal(.snapshot, objection) }
        let snapshot: SnapshotMetadata = try verified(bytes, .snapshot, by: root.signers(of: .snapshot))
        guard snapshot.header.version == timestamp.snapshot.version else { throw UpdateRefusal(.snapshot, .mixAndMatch(.version)) }
        try checkList(snapshot)
        try checkTimes(snapshot.header, .snapshot)
        versions.list(snapshot)
        return keep(.snapshot(timestamp, snapshot), .snapshot, bytes)
    }

    /// Whether it lists every role that was listed, and none in an older version.
    private func checkList(_ snapshot: SnapshotMetadata) throws(UpdateRefusal) {
        for role in versions.roles where role == .targets || !role.isTopLevel {
            guard let file = snapshot.file(of: role) else { throw UpdateRefusal(.snapshot, .roleRemoved(role.description)) }
            try checkRollback(.snapshot, says: role, file.version)
        }
    }
}
