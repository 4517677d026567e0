import SiteData
import Storage
import Threads

/// Brings the metadata of a repository up to date and finds targets in them: does for `Update` what it asks for.
struct MetadataRun {
    /// What a gate takes of metadata: a site's are small, and all of it is held at once.
    static let limits = UpdateLimits(root: 512_000, timestamp: 16_384, snapshot: 262_144, targets: 1_048_576)

    private let site: String
    private let root: [UInt8]
    private let memory: RepositoryMemory
    private let source: RepositorySource
    private var update: Update
    /// Metadata were there, but nobody knew any more which versions there had been.
    let areVersionsLost: Bool
    /// When a timestamp says that it was signed, UNIX seconds, which was refused because that time has not come yet: its signature holds.
    private(set) var timestampAhead: Int64?

    /// - Parameter root: the file that the installer brought.
    init(site: String, root: [UInt8], memory: RepositoryMemory, source: RepositorySource, time: RunTime) throws(SyncFailure) {
        let beginning: RepositoryMemory.Beginning
        do throws(StorageError) {
            beginning = try memory.begin(with: root, site: site)
        } catch {
            throw .memory(error)
        }
        self.site = site
        self.root = root
        self.memory = memory
        self.source = source
        areVersionsLost = beginning.areVersionsLost
        update = try Self.update(beginning, root, time)
    }

    /// Where the root that was kept is damaged, the chain is walked from the installer's once more; the versions tell whether it leads as far.
    private static func update(_ beginning: RepositoryMemory.Beginning, _ root: [UInt8], _ time: RunTime) throws(SyncFailure) -> Update {
        if let kept = beginning.kept,
           let update = try? Update(root: kept, startedAt: time.startedAt, dates: time.dates, limits: limits, floor: beginning.versions) { return update }
        do throws(UpdateRefusal) {
            return try Update(root: root, startedAt: time.startedAt, dates: time.dates, limits: limits, floor: beginning.versions)
        } catch {
            throw SyncFailure(error)
        }
    }

    /// The newest root that was verified.
    var newestRoot: RootMetadata { update.root }

    /// What a role says that this run has verified.
    func verified(_ role: RoleName) -> TargetsMetadata? { update.verified(role) }

    /// Fetches what is new, verifies it, and keeps it.
    mutating func refresh() throws(SyncFailure) -> RefreshReport {
        guard case .refreshed(let report) = try drive(update.start()) else { throw Self.confused }
        return report
    }

    /// Finds a target, after the refresh.
    mutating func find(_ path: String) throws(SyncFailure) -> FoundTarget? {
        guard let target = TargetPath(path) else { throw SyncFailure(UpdateRefusal(.targets, .unsafeTargetPath(path))) }
        switch try drive(update.find(target)) {
        case .found(let found): return found
        case .notFound: return nil
        case .load, .fetch, .keep, .refreshed, .refused: throw Self.confused
        }
    }

    /// Until there is something to say.
    private mutating func drive(_ first: UpdateAction) throws(SyncFailure) -> UpdateAction {
        var action = first
        while true {
            switch action {
            case .load(let role, let limit): action = update.loaded(try load(role, limit))
            case .fetch(let request): action = try fetch(request)
            case .keep(let role, let bytes, let forgotten):
                try keep(role, bytes, forgotten)
                action = update.kept()
            case .refused(let refusal):
                if refusal.role == .timestamp, case .issuedInFuture(let issued, _) = refusal.reason { timestampAhead = issued }
                throw SyncFailure(refusal)
            case .refreshed, .found, .notFound: return action
            }
        }
    }

    private func load(_ role: RoleName, _ limit: Int) throws(SyncFailure) -> [UInt8]? {
        do throws(StorageError) {
            return try memory.load(role, limit: limit)
        } catch {
            throw .memory(error)
        }
    }

    private func keep(_ role: RoleName, _ bytes: [UInt8], _ forgotten: [RoleName]) throws(SyncFailure) {
        do throws(StorageError) {
            try memory.keep(role, bytes, forgetting: forgotten, versions: update.versions, root: root, site: site)
        } catch {
            throw .memory(error)
        }
    }

    private mutating func fetch(_ request: FetchRequest) throws(SyncFailure) -> UpdateAction {
        guard request.name == RoleName.timestamp.fileName else {
            switch try source.get(request) {
            case .file(let bytes, _): return update.fetched(bytes)
            case .missing: return update.notFetched(.missing)
            case .unchanged: throw Self.confused
            }
        }
        return try fetchTimestamp(request)
    }

    /// The one file that keeps its name: the server may say that it is the one that is here.
    private mutating func fetchTimestamp(_ request: FetchRequest) throws(SyncFailure) -> UpdateAction {
        let url = source.url(of: request)
        let known = memory.tagged(url: url, limit: Self.limits.timestamp)
        switch try source.get(request, unlike: known?.tag) {
        case .file(let bytes, let tag):
            memory.remember(tag: tag, of: bytes, url: url)
            return update.fetched(bytes)
        case .missing: return update.notFetched(.missing)
        case .unchanged: return update.fetched(known?.timestamp ?? [])
        }
    }

    private static let confused = SyncFailure(.local, code: "sync-failed", message: "A step of the update was answered by another one: a mistake of the program.")
}
