import SignedRepository
@testable import SiteData

/// Drives updates as a gate does, with a folder in memory: it does what each action says.
struct TUFClient {
    /// The folder: files of roles.
    var folder: [RoleName: [UInt8]] = [:]
    /// What is kept beside it, if anything.
    var floor: TrustedVersions?
    var limits = UpdateLimits()
    /// By what it judges the dates at which files were signed.
    var dates = SigningDates.ignored
    /// Files that cannot be fetched.
    var failures: [String: FetchFailure] = [:]
    /// The names that were asked for in the last run.
    private(set) var requests: [String] = []
    /// The last run.
    private(set) var update: Update?

    init(_ root: [UInt8]) { folder[.root] = root }

    /// What a run came to.
    struct Outcome {
        var report: RefreshReport?
        var found: [FoundTarget] = []
        var notFound: [String] = []
        var visited: [[String]] = []
        var refusal: UpdateRefusal?

        /// The code of the refusal, without what all codes begin with.
        var code: String? { refusal.map { String($0.code.dropFirst("tuf-".count)) } }
        /// Whose file was refused.
        var role: String? { refusal?.role.description }
    }

    /// Refreshes, and asks for targets.
    @discardableResult
    mutating func run(_ repository: TUFRepository, at time: Int64 = TUFRepository.now, find paths: String...) -> Outcome {
        requests = []
        var outcome = Outcome()
        do {
            var update = try Update(root: folder[.root] ?? [], startedAt: time, dates: dates, limits: limits, floor: floor)
            drive(&update, repository, paths, &outcome)
            self.update = update
        } catch {
            outcome.refusal = error
        }
        return outcome
    }

    private mutating func drive(_ update: inout Update, _ repository: TUFRepository, _ paths: [String], _ outcome: inout Outcome) {
        var waiting = paths
        var action = update.start()
        while true {
            switch action {
            case .load(let role, let limit): action = update.loaded(folder[role].flatMap { $0.count <= limit ? $0 : nil })
            case .fetch(let request): action = fetch(request, &update, repository)
            case .keep(let role, let bytes, let forgotten):
                if floor != nil { floor = update.versions }
                for other in forgotten { folder[other] = nil }
                folder[role] = bytes
                action = update.kept()
            case .refreshed(let report):
                outcome.report = report
                guard let next = ask(&waiting, &outcome) else { return }
                action = update.find(next)
            case .found(let target):
                outcome.found.append(target)
                guard let next = ask(&waiting, &outcome) else { return }
                action = update.find(next)
            case .notFound(let path, let visited):
                outcome.notFound.append(path.description)
                outcome.visited.append(visited.map(\.description))
                guard let next = ask(&waiting, &outcome) else { return }
                action = update.find(next)
            case .refused(let refusal):
                outcome.refusal = refusal
                return
            }
        }
    }

    /// A path that is none is refused before anybody is asked.
    private func ask(_ waiting: inout [String], _ outcome: inout Outcome) -> TargetPath? {
        guard !waiting.isEmpty else { return nil }
        let text = waiting.removeFirst()
        guard let path = TargetPath(text) else {
            outcome.refusal = UpdateRefusal(.targets, .unsafeTargetPath(text))
            return nil
        }
        return path
    }

    private mutating func fetch(_ request: FetchRequest, _ update: inout Update, _ repository: TUFRepository) -> UpdateAction {
        requests.append(request.name)
        if let failure = failures[request.name] { return update.notFetched(failure) }
        guard let bytes = repository.files[request.name] else { return update.notFetched(.missing) }
        return Int64(bytes.count) <= request.limit ? update.fetched(bytes) : update.notFetched(.endless)
    }

    /// The version of a role's file in the folder; nil if there is none.
    func version(_ role: RoleName) -> Int64? {
        guard let bytes = folder[role], let file = try? SignedMetadata(bytes) else { return nil }
        return file.signed.object["version"]?.integer
    }
}
