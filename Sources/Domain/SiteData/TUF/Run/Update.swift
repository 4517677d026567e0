/// One run of a client of a TUF repository (TUF specification, 5): from a trusted root to the newest metadata, and
/// from there to targets. It does no input or output and reads no clock: each call answers the last action and
/// says what is to be done next. A call that does not answer it is a fault of the caller and stops the program; nothing
/// that comes from a disk or a repository does.
public struct Update: Sendable {
    /// The newest root that was verified.
    public internal(set) var root: RootMetadata
    /// What no repository may fall below any more, once the file is kept that was to be kept last.
    public internal(set) var versions: TrustedVersions
    /// When the run began, UNIX seconds: what had not expired then does not expire meanwhile (TUF specification, 5.1).
    let startedAt: Int64
    let dates: SigningDates
    let limits: UpdateLimits
    var state = UpdateState.ready
    var changed: [RoleName] = []
    var newRoots = 0
    /// Whether the files of the last run count no more.
    var hasForgotten = false

    /// Begins with a root that is trusted.
    /// - Parameters:
    ///   - root: its file. It may have expired, but it must be signed by its own keys.
    ///   - startedAt: UNIX seconds.
    ///   - dates: by what the dates are judged at which files were signed.
    ///   - floor: versions that are known beside the files.
    public init(
        root: [UInt8], startedAt: Int64, dates: SigningDates = .ignored, limits: UpdateLimits = UpdateLimits(), floor: TrustedVersions? = nil
    ) throws(UpdateRefusal) {
        self.root = try Self.trustedRoot(root)
        self.startedAt = startedAt
        self.dates = dates
        self.limits = limits
        versions = floor ?? TrustedVersions()
        versions.raise(.root, to: self.root.header.version)
    }

    /// Begins the run.
    public mutating func start() -> UpdateAction {
        guard case .ready = state else { Self.misused("a run is started once") }
        return act { update throws(UpdateRefusal) in try update.askForRoot() }
    }

    /// Answers `load`.
    /// - Parameter bytes: the file; nil if there is none, or one that is too long.
    public mutating func loaded(_ bytes: [UInt8]?) -> UpdateAction {
        guard case .loading(let loading) = state else { Self.misused("nothing was to be loaded") }
        return act { update throws(UpdateRefusal) in
            switch loading {
            case .timestamp: update.rememberTimestamp(bytes)
            case .snapshot(let timestamp): update.remember(timestamp, snapshot: bytes)
            case .targets(let errand): try update.useTargets(bytes, errand)
            }
        }
    }

    /// Answers `fetch` with the file's bytes as they came.
    public mutating func fetched(_ bytes: [UInt8]) -> UpdateAction {
        guard case .fetching(let request, let fetching) = state else { Self.misused("nothing was to be fetched") }
        return act { update throws(UpdateRefusal) in
            guard Int64(bytes.count) <= request.limit else { throw UpdateRefusal(fetching.role, .endlessData(limit: request.limit)) }
            return switch fetching {
            case .root: try update.acceptRoot(bytes)
            case .timestamp(let known, let snapshot): try update.acceptTimestamp(bytes, known, snapshot)
            case .snapshot(let timestamp): try update.acceptSnapshot(bytes, timestamp)
            case .targets(let errand): try update.acceptTargets(bytes, errand)
            }
        }
    }

    /// Answers `fetch` where there was no file to be had.
    public mutating func notFetched(_ why: FetchFailure) -> UpdateAction {
        guard case .fetching(let request, let fetching) = state else { Self.misused("nothing was to be fetched") }
        return act { update throws(UpdateRefusal) in
            if case .root = fetching, why == .missing { return try update.endRoots() }
            throw UpdateRefusal(fetching.role, why.reason(for: request))
        }
    }

    /// Answers `keep`: the file is on the disk.
    public mutating func kept() -> UpdateAction {
        guard case .keeping(let keeping) = state else { Self.misused("nothing was to be kept") }
        return act { update throws(UpdateRefusal) in
            switch keeping {
            case .root: try update.askForRoot()
            case .timestamp(let timestamp, let snapshot): try update.seekSnapshot(timestamp, known: snapshot)
            case .snapshot(let timestamp, let snapshot): try update.seekTopTargets(TrustedRoles(timestamp, snapshot))
            case .targets(let errand, let metadata): try update.goOn(with: metadata, errand)
            }
        }
    }

    /// Asks for a target, after the refresh or the answer to another one.
    public mutating func find(_ path: TargetPath) -> UpdateAction {
        guard case .refreshed(let trusted) = state else { Self.misused("targets are asked for after a refresh, one by one") }
        return act { update throws(UpdateRefusal) in
            try update.search(Search(path, from: update.top), trusted)
        }
    }

    /// What a role says that describes targets, if this run has verified it on some way.
    public func verified(_ role: RoleName) -> TargetsMetadata? {
        guard case .refreshed(let trusted) = state else { return nil }
        return trusted[role]
    }

    /// Makes a refusal of what a step throws; the run is then over.
    private mutating func act(_ step: (inout Update) throws(UpdateRefusal) -> UpdateAction) -> UpdateAction {
        do throws(UpdateRefusal) {
            return try step(&self)
        } catch {
            state = .over
            return .refused(error)
        }
    }

    private static func misused(_ sentence: StaticString) -> Never {
        preconditionFailure("\(sentence): whoever drives an update answers its last action")
    }
}

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

    mutating func acceptSnapshot(_ bytes: [UInt8], _ timestamp: TimestampMetadata) throws(UpdateRefusal) -> UpdateAction {
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
