import SiteData
import Storage
import Threads

/// All of the site data: the list of everybody, which may be hundreds of megabytes.
extension SyncRun {
    /// The whole is not made anew for each change: where it is older than the newest state, the changes since are taken with it.
    func applyWhole(_ offered: Offered, _ metadata: inout MetadataRun) throws(SyncFailure) -> TrustPublication {
        if let refusal = strikes.withLock({ $0.refusal(of: Self.hash(of: offered.whole) ?? [], site: offered.signed.siteHash, state: offered.signed.state,
                                                       at: MonotonicTime.milliseconds) }) { throw refusal }
        let site = try fetched(offered.site, beside: [offered.whole])
        prepare(site, offered)
        let whole = try fetched(offered.whole, beside: [offered.site])
        var changes: StagedFile?
        if let since = try choice(after: whole, offered) {
            let target = try found(SyncTargets.people(since: since), &metadata)
            changes = try fetched(target, beside: [offered.whole, offered.site])
        }
        return try judging(offered, withChanges: changes != nil) { () throws(SyncFailure) in
            try apply([whole, site, changes].compactMap { $0 }) { () throws(ImportError) in
                try store.apply(full: whole, changes: changes, site: site, offered.update)
            }
        }
    }

    /// A longer file may take minutes on a slow line.
    static let longFile: Int64 = 65_536

    /// What the site has taken back does not wait for the list of everybody, which may take a day. Where it cannot be had alone (with another
    /// ceiling, in another epoch) the whole brings it.
    func prepare(_ site: StagedFile, _ offered: Offered) {
        guard let used = store.siteHash, used != offered.signed.siteHash, (try? store.apply(siteAhead: site, offered.update)) != nil else { return }
        notify(.siteAhead)
    }

    /// What is refused here has the bytes that were signed: it will be refused again.
    private func judging<Value>(_ offered: Offered, withChanges: Bool, _ body: () throws(SyncFailure) -> Value) throws(SyncFailure) -> Value {
        do throws(SyncFailure) {
            return try body()
        } catch {
            let files = FileStrikes.Files(whole: Self.hash(of: offered.whole) ?? [], site: offered.signed.siteHash, state: withChanges ? offered.signed.state : nil)
            if error.kind == .refused { strikes.withLock { $0.struck(files, error, at: MonotonicTime.milliseconds) } }
            throw error
        }
    }

    /// From where the changes lead on from the whole; nil where it is the newest state.
    private func choice(after whole: StagedFile, _ offered: Offered) throws(SyncFailure) -> UInt64? {
        let state = offered.signed.state
        let version = try judging(offered, withChanges: false) { () throws(SyncFailure) -> UInt64 in try self.version(of: whole, offered) }
        guard version < state.version else { return nil }
        return try judging(offered, withChanges: true) { () throws(SyncFailure) -> UInt64? in
            // However long they are: nothing else leads there.
            guard case .changes(let since) = DeltaChoice(having: version, offers: offered.signed.offers, fullLength: .max) else {
                throw SyncFailure(ImportError.bundle(.wrongState))
            }
            return since
        }
    }

    private func version(of whole: StagedFile, _ offered: Offered) throws(SyncFailure) -> UInt64 {
        do throws(ImportError) {
            return try store.version(ofWhole: whole, offered.update)
        } catch {
            staging.discard()
            throw SyncFailure(error)
        }
    }
}

/// The names of a site's targets, and what the metadata of people say of them.
enum SyncTargets {
    /// What the site decides.
    static let site = "site/data"
    /// All people.
    static let people = "people/full"
    private static let changes = "people/since-"
    /// When a role signed.
    static let issued = MetadataHeader.issuedMember

    /// What has changed of people after a version.
    static func people(since version: UInt64) -> String { "\(changes)\(version)" }

    /// The bundles of changes that a role describes.
    static func offers(of people: TargetsMetadata) -> [DeltaChoice.Offer] {
        people.targets.compactMap { path, file in
            guard path.text.hasPrefix(changes), let from = UInt64(path.text.dropFirst(changes.count)), Self.people(since: from) == path.text else { return nil }
            return DeltaChoice.Offer(from: from, length: UInt64(clamping: file.length))
        }
    }
}
