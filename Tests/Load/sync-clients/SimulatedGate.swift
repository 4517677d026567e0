import Encoding
import SiteData

/// One gate: its metadata, in memory, and which versions it has. What it does on the network is what a gate does.
struct SimulatedGate {
    private static let people = "people"
    private static let since = "people/since-"

    private let options: CrowdOptions
    private let isReader: Bool
    private let fetcher: GateFetcher
    private var files: [RoleName: [UInt8]]
    private var tag: String?
    private var siteHash: String?
    /// The version of people that it has.
    private(set) var version: UInt64?

    init(_ options: CrowdOptions, number: Int, root: [UInt8], fetcher: GateFetcher) {
        (self.options, self.fetcher) = (options, fetcher)
        isReader = number % options.readers == 0
        files = [.root: root]
        version = options.version
    }

    /// Brings everything up to date.
    /// - Parameter now: UNIX seconds.
    mutating func synchronise(at now: Int64) throws {
        var update = try Update(root: files[.root] ?? [], startedAt: now)
        guard case .refreshed(let report) = try drive(&update, update.start()) else { throw LoadFault("a refresh ends refreshed") }
        // A gate asks for the role of people by one of its targets, whatever it needs of them.
        guard case .found(let whole) = try drive(&update, update.find(try path("people/full"))),
              let people = update.verified(try RoleName(named: Self.people)) else { throw LoadFault("people/full is not found") }
        try readSite(report, &update)
        try readPeople(people, whole, &update)
    }

    // Bundles ------------------------------------------------------------------------------------

    private mutating func readSite(_ report: RefreshReport, _ update: inout Update) throws {
        let signed = report.targets.target(try path("site/data"))?.hashes.sha256
        guard siteHash == nil || siteHash != signed else { return }
        guard case .found(let target) = try drive(&update, update.find(try path("site/data"))) else { throw LoadFault("site/data is not found") }
        let bytes = try fetch(target)
        if isReader { try read(bytes, BundleExpectation(site: options.site, epoch: 1)) }
        siteHash = target.file.hashes.sha256
    }

    private mutating func readPeople(_ people: TargetsMetadata, _ whole: FoundTarget, _ update: inout Update) throws {
        guard let state = SignedState(json: people.header.additions[SignedState.member]) else { throw LoadFault("no state was signed") }
        guard version != state.version else { return }
        var target = whole
        if case .changes(let from) = DeltaChoice(having: version, offers: offers(people), fullLength: UInt64(whole.file.length)) {
            let found = try drive(&update, update.find(try path("\(Self.since)\(from)")))
            guard case .found(let changes) = found else { throw LoadFault("changes are not found") }
            target = changes
        }
        let bytes = try fetch(target)
        let having = target == whole ? nil : version
        if isReader { try read(bytes, BundleExpectation(site: options.site, state: state, having: having, ceiling: .standard, issuedAt: 0)) }
        // Gates that begin with the whole do so when it is the newest there is.
        version = state.version
    }

    private func offers(_ people: TargetsMetadata) -> [DeltaChoice.Offer] {
        people.targets.compactMap { path, file in
            guard path.text.hasPrefix(Self.since), let from = UInt64(path.text.dropFirst(Self.since.count)) else { return nil }
            return DeltaChoice.Offer(from: from, length: UInt64(file.length))
        }
    }

    private func read(_ bytes: [UInt8], _ expectation: BundleExpectation) throws {
        var reader = BundleReader(expecting: expectation)
        _ = try reader.feed(bytes)
        _ = try reader.finish()
    }

    private func path(_ name: String) throws -> TargetPath {
        guard let path = TargetPath(name) else { throw LoadFault("\(name) is no path") }
        return path
    }

    private func fetch(_ target: FoundTarget) throws -> [UInt8] {
        let (head, bytes) = try fetcher.fetch(url(target.request), most: target.request.limit)
        guard head.status == 200 else { throw LoadFault("status \(head.status) for \(target.path)") }
        var check = TargetCheck(target)
        try check.add(bytes)
        try check.finish()
        return bytes
    }

    // Metadata -----------------------------------------------------------------------------------

    /// Does what the update asks for, until it has something to say.
    private mutating func drive(_ update: inout Update, _ first: UpdateAction) throws -> UpdateAction {
        var action = first
        while true {
            switch action {
            case .load(let role, let limit): action = update.loaded(files[role].flatMap { $0.count <= limit ? $0 : nil })
            case .fetch(let request): action = try answer(request, &update)
            case .keep(let role, let bytes, let forgotten):
                for name in forgotten { files[name] = nil }
                files[role] = bytes
                action = update.kept()
            case .refused(let refusal): throw refusal
            case .refreshed, .found, .notFound: return action
            }
        }
    }

    /// The timestamp is the one file that keeps its name: the server may say that it is the one that is here.
    private mutating func answer(_ request: FetchRequest, _ update: inout Update) throws -> UpdateAction {
        let known = request.name == RoleName.timestamp.fileName ? tag : nil
        let (head, bytes) = try fetcher.fetch(url(request), most: request.limit, unlike: known)
        switch head.status {
        case 200:
            if request.name == RoleName.timestamp.fileName { tag = head.etag }
            return update.fetched(bytes)
        case 304: return update.fetched(files[.timestamp] ?? [])
        case 403, 404: return update.notFetched(.missing)
        default: throw LoadFault("status \(head.status) for \(request.name)")
        }
    }

    private func url(_ request: FetchRequest) -> String {
        switch request.place {
        case .metadata: "\(options.url)/metadata/\(request.name)"
        case .targets: "\(options.url)/targets/\(request.name)"
        }
    }
}
