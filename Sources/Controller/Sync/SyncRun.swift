import Encoding
import SiteData
import Storage
import Threads

/// One synchronisation: metadata brought up to date, the bundles that are missing fetched, verified and put to use (S4, S5). Whatever fails, what is in
/// use stays, and what was kept on the way serves the next run.
struct SyncRun {
    /// What a run came to.
    struct Result: Equatable, Sendable {
        /// What was put to use.
        var way = SyncChoice.nothing
        /// What is in use now; nil where there was nothing new.
        var applied: TrustPublication?
        /// When the roles end whose files were verified.
        var ends: RoleEnds
        /// The timestamp that was verified.
        var timestamp: Timestamp
        /// From when on an office would have signed anew what it signs less often, UNIX seconds; nil where nothing says so.
        var renewal: Int64?
    }

    /// What a timestamp says of itself.
    struct Timestamp: Equatable, Sendable {
        let version: Int64
        /// When it was signed, UNIX seconds.
        let issuedAt: Int64
        /// The keys that may sign it.
        let keys: KeyMark
    }

    let site: String
    let memory: RepositoryMemory
    let staging: StagingFolder
    let source: RepositorySource
    let store: any SyncStore
    /// Which whole was refused how often though it was the one that was signed, over all runs.
    let strikes: Monitor<FileStrikes>
    let time: RunTime
    /// The zones whose people the gate keeps; nil: all.
    var zones: Set<String>?
    /// Is told what happens on the way.
    let notify: (SyncNews) -> Void

    /// - Parameter root: the file that the installer brought.
    func run(from root: [UInt8]) throws(SyncFailure) -> Result {
        var metadata = try MetadataRun(site: site, root: root, memory: memory, source: source, time: time)
        if metadata.areVersionsLost { notify(.versionsLost) }
        let report = try refreshed(&metadata)
        let root = metadata.newestRoot
        let timestamp = Timestamp(version: report.timestamp.header.version, issuedAt: try Self.issued(.timestamp, report.timestamp.header),
                                  keys: root.keyMark(of: .timestamp))
        notify(.verified(SignedDates(
            root: root.header.issued, rootVersion: root.header.version, targets: report.targets.header.issued,
            targetsVersion: report.targets.header.version, timestamp: timestamp.issuedAt)))
        let offered = try offered(&metadata, until: report.targets.header.expires)
        var result = Result(ends: Self.ends(metadata.newestRoot, report, people: offered.whole.role, offered.people), timestamp: timestamp)
        result.renewal = [report.snapshot.header, offered.people.header].compactMap(\.renewal).min()
        try applyOffered(offered, &metadata, &result)
        if result.way == .nothing { staging.discard() }
        return result
    }

    private static func ends(_ root: RootMetadata, _ report: RefreshReport, people: RoleName, _ metadata: TargetsMetadata) -> RoleEnds {
        let headers: [(RoleName, MetadataHeader)] = [
            (.root, root.header), (.timestamp, report.timestamp.header), (.snapshot, report.snapshot.header), (.targets, report.targets.header),
            (people, metadata.header)]
        return RoleEnds(times: Dictionary(headers.map { ($0.description, $1.expires) }, uniquingKeysWith: min))
    }

    private func refreshed(_ metadata: inout MetadataRun) throws(SyncFailure) -> RefreshReport {
        do throws(SyncFailure) {
            return try metadata.refresh()
        } catch {
            if let date = metadata.timestampAhead { notify(.timestampAhead(date)) }
            throw error
        }
    }

    // What there is ------------------------------------------------------------------------------

    /// What the metadata describe.
    struct Offered {
        let site: FoundTarget
        let whole: FoundTarget
        let people: TargetsMetadata
        let signed: SyncChoice.Signed
        let update: RepositoryUpdate
    }

    /// - Parameter end: when what was signed offline ends. The key of people is online: a time of issue beyond that would let rights last longer
    ///   than the ceiling allows.
    private func offered(_ metadata: inout MetadataRun, until end: Int64) throws(SyncFailure) -> Offered {
        let site = try found(SyncTargets.site, &metadata)
        let whole = try found(SyncTargets.people, &metadata)
        guard let people = metadata.verified(whole.role), case let named = people.header.additions[SignedState.member], let state = SignedState(json: named) else {
            throw SyncFailure(UpdateRefusal(whole.role, .metadata(.field(SignedState.member))))
        }
        guard let siteHash = Self.hash(of: site) else { throw SyncFailure(UpdateRefusal(site.role, .unknownHash)) }
        return Offered(
            site: site, whole: whole, people: people,
            signed: SyncChoice.Signed(state: state, siteHash: siteHash, offers: SyncTargets.offers(of: people)),
            update: RepositoryUpdate(site: self.site, state: state, siteHash: siteHash, issuedAt: min(end, try Self.issued(whole.role, people.header)),
                                     expiresAt: people.header.expires, zones: zones, keys: metadata.newestRoot.keyMark(of: .targets), predecessor: Predecessor(ofState: named)))
    }

    /// Without it nobody could say how old the site data are.
    private static func issued(_ role: RoleName, _ header: MetadataHeader) throws(SyncFailure) -> Int64 {
        guard let issued = header.issued else { throw SyncFailure(UpdateRefusal(role, .metadata(.field(SyncTargets.issued)))) }
        return issued
    }

    func found(_ path: String, _ metadata: inout MetadataRun) throws(SyncFailure) -> FoundTarget {
        guard let target = try metadata.find(path) else { throw SyncFailure(UpdateRefusal(.targets, .noSuchTarget(path))) }
        return target
    }

    static func hash(of target: FoundTarget) -> [UInt8]? { target.file.hashes.sha256.flatMap { try? Hex.decode($0) } }

    // What is missing ----------------------------------------------------------------------------

    private func applyOffered(_ offered: Offered, _ metadata: inout MetadataRun, _ result: inout Result) throws(SyncFailure) {
        result.way = SyncChoice(having: store.had, of: offered.signed)
        do throws(SyncFailure) {
            result.applied = try applyPart(result.way, offered, &metadata)
        } catch {
            guard Self.wantsWhole.contains(error.code) else { throw error }
            notify(.wholeNeeded(error))
            result.way = .whole
        }
        if result.way == .whole { result.applied = try applyWhole(offered, &metadata) }
    }

    /// What is less than the whole; nil where nothing less is to be taken.
    private func applyPart(_ choice: SyncChoice, _ offered: Offered, _ metadata: inout MetadataRun) throws(SyncFailure) -> TrustPublication? {
        switch choice {
        case .nothing, .whole: return nil
        case .changes(let since, let withSite): return try applyChanges(since: since, withSite: withSite, offered, &metadata)
        case .site:
            let site = try fetched(offered.site, beside: [])
            return try apply([site]) { () throws(ImportError) in try store.apply(changes: nil, site: site, offered.update) }
        }
    }

    /// What the changes are refused for, and the whole fixes.
    private static let wantsWhole: Set<String> = ["state-differs", "bundle-whole-needed"]

    private func applyChanges(since: UInt64, withSite: Bool, _ offered: Offered, _ metadata: inout MetadataRun) throws(SyncFailure) -> TrustPublication {
        let target = try found(SyncTargets.people(since: since), &metadata)
        let site = withSite ? try fetched(offered.site, beside: [target]) : nil
        if let site, target.file.length > Self.longFile { prepare(site, offered) }
        let changes = try fetched(target, beside: withSite ? [offered.site] : [])
        return try apply([changes, site].compactMap { $0 }) { () throws(ImportError) in try store.apply(changes: changes, site: site, offered.update) }
    }

    func apply(_ files: [StagedFile], _ body: () throws(ImportError) -> TrustPublication) throws(SyncFailure) -> TrustPublication {
        notify(.applying)
        do throws(ImportError) {
            let applied = try withExtendedLifetime(files, body)
            staging.discard()
            return applied
        } catch {
            // What the disk had no room for may find it the next time; what was refused will be refused again.
            if case .storage = error { throw SyncFailure(error) }
            staging.discard()
            throw SyncFailure(error)
        }
    }

    /// - Parameter others: what is fetched already, or will be next.
    func fetched(_ target: FoundTarget, beside others: [FoundTarget]) throws(SyncFailure) -> StagedFile {
        guard let hash = Self.hash(of: target) else { throw SyncFailure(UpdateRefusal(target.role, .unknownHash)) }
        staging.discard(except: [hash] + others.compactMap { Self.hash(of: $0) })
        let file: StagedFile
        do throws(StagingError) {
            file = try staging.part(hash: hash, length: target.file.length)
        } catch {
            throw SyncFailure(error)
        }
        try source.get(target, into: file)
        return file
    }
}
