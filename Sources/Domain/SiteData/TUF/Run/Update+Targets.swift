/// The roles that describe targets (TUF specification, 5.6).
extension Update {
    /// The way to the top role.
    var top: Edge { Edge(role: .targets, signers: root.signers(of: .targets)) }

    mutating func seekTopTargets(_ trusted: TrustedRoles) throws(UpdateRefusal) -> UpdateAction {
        try seek(top, for: nil, trusted)
    }

    /// Nothing is asked of the repository for a role that the snapshot does not list.
    private mutating func seek(_ edge: Edge, for search: Search?, _ trusted: TrustedRoles) throws(UpdateRefusal) -> UpdateAction {
        guard let file = trusted.snapshot.file(of: edge.role) else { throw UpdateRefusal(edge.role, .roleNotInSnapshot) }
        return recall(.targets(UpdateState.Errand(edge: edge, file: file, search: search, trusted: trusted)), edge.role)
    }

    /// The file of the last run is used if it is the one that the snapshot names, and good on this way to the role.
    mutating func useTargets(_ bytes: [UInt8]?, _ errand: UpdateState.Errand) throws(UpdateRefusal) -> UpdateAction {
        if let bytes, let metadata = try? targets(bytes, errand) { return try goOn(with: metadata, errand) }
        let role = errand.edge.role
        return ask(.targets(errand), fileName(role, version: errand.file.version),
                   limit: limits.bytes(of: role, saidToBe: errand.file.length))
    }

    mutating func acceptTargets(_ bytes: [UInt8], _ errand: UpdateState.Errand) throws(UpdateRefusal) -> UpdateAction {
        let metadata = try targets(bytes, errand)
        return keep(.targets(errand, metadata), errand.edge.role, bytes)
    }

    private func targets(_ bytes: [UInt8], _ errand: UpdateState.Errand) throws(UpdateRefusal) -> TargetsMetadata {
        let role = errand.edge.role
        if let objection = errand.file.objection(to: bytes) { throw UpdateRefusal(role, objection) }
        let metadata: TargetsMetadata = try verified(bytes, role, by: errand.edge.signers)
        guard metadata.header.version == errand.file.version else { throw UpdateRefusal(role, .mixAndMatch(.version)) }
        try checkTimes(metadata.header, role)
        return metadata
    }

    /// The refresh ends with the top role; a search looks into each role and goes on to the next.
    mutating func goOn(with metadata: TargetsMetadata, _ errand: UpdateState.Errand) throws(UpdateRefusal) -> UpdateAction {
        var trusted = errand.trusted
        trusted.add(metadata, at: errand.edge)
        guard let search = errand.search else { return finishRefresh(trusted, metadata) }
        return try look(for: search, into: metadata, at: errand.edge, trusted)
    }

    private mutating func finishRefresh(_ trusted: TrustedRoles, _ targets: TargetsMetadata) -> UpdateAction {
        state = .refreshed(trusted)
        let headers = [root.header, trusted.timestamp.header, trusted.snapshot.header, targets.header]
        let expires = headers.reduce(.max) { min($0, $1.expires) }
        return .refreshed(RefreshReport(changed: changed, expires: expires, timestamp: trusted.timestamp,
                                        snapshot: trusted.snapshot, targets: targets))
    }

    /// Asks the next role.
    mutating func search(_ search: Search, _ trusted: TrustedRoles) throws(UpdateRefusal) -> UpdateAction {
        var search = search
        guard let edge = search.next() else {
            state = .refreshed(trusted)
            return .notFound(search.path, visited: search.visited)
        }
        // The top role is not counted.
        guard search.visited.count <= limits.delegatedRoles + 1 else {
            throw UpdateRefusal(edge.role, .tooManyRoles(limit: limits.delegatedRoles))
        }
        guard let metadata = trusted[edge] else { return try seek(edge, for: search, trusted) }
        return try look(for: search, into: metadata, at: edge, trusted)
    }

    private mutating func look(
        for search: Search, into metadata: TargetsMetadata, at edge: Edge, _ trusted: TrustedRoles
    ) throws(UpdateRefusal) -> UpdateAction {
        if let file = metadata.target(search.path) {
            guard file.hashes.isVerifiable else { throw UpdateRefusal(edge.role, .unknownHash) }
            state = .refreshed(trusted)
            return .found(FoundTarget(search.path, file, by: edge.role, consistent: root.hasConsistentSnapshots))
        }
        var search = search
        search.descend(into: metadata)
        return try self.search(search, trusted)
    }
}

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
