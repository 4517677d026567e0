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

/// What several steps of a run share.
extension Update {
    /// Waits for a file of the repository.
    mutating func ask(_ fetching: UpdateState.Fetching, _ name: String, limit: Int) -> UpdateAction {
        let request = FetchRequest(.metadata, name, limit: Int64(limit))
        state = .fetching(request, fetching)
        return .fetch(request)
    }

    /// Waits for a file of the last run.
    mutating func recall(_ loading: UpdateState.Loading, _ role: RoleName) -> UpdateAction {
        state = .loading(loading)
        return .load(role, limit: limits.bytes(of: role))
    }

    /// Waits for a file to be on the disk.
    mutating func keep(_ keeping: UpdateState.Keeping, _ role: RoleName, _ bytes: [UInt8], forgetting: [RoleName] = []) -> UpdateAction {
        if !changed.contains(role) { changed.append(role) }
        state = .keeping(keeping)
        return .keep(role, bytes, forgetting: forgetting)
    }

    /// A file of a role in which enough of its keys have signed.
    func verified<Body: MetadataBody>(_ bytes: [UInt8], _ role: RoleName, by signers: Signers) throws(UpdateRefusal) -> Body {
        let file = try Self.parsed(bytes, role)
        let count = signers.count(file)
        guard count.isReached else { throw UpdateRefusal(role, .arbitrarySoftware(count)) }
        return try Self.body(file, role)
    }

    static func parsed(_ bytes: [UInt8], _ role: RoleName) throws(UpdateRefusal) -> SignedMetadata {
        do throws(MetadataFault) {
            return try SignedMetadata(bytes)
        } catch {
            throw UpdateRefusal(role, .metadata(error))
        }
    }

    static func body<Body: MetadataBody>(_ file: SignedMetadata, _ role: RoleName) throws(UpdateRefusal) -> Body {
        do throws(MetadataFault) {
            return try Body(file)
        } catch {
            throw UpdateRefusal(role, .metadata(error))
        }
    }

    /// The name of a role's file in the repository.
    func fileName(_ role: RoleName, version: Int64) -> String {
        root.hasConsistentSnapshots ? role.fileName(version: version) : role.fileName
    }

    /// Whether what a role says of itself or of another one is not older than what is known.
    func checkRollback(_ role: RoleName, says other: RoleName, _ version: Int64) throws(UpdateRefusal) {
        guard version >= versions[other] else {
            throw UpdateRefusal(role, .rollback(of: other, found: version, known: versions[other]))
        }
    }
}
