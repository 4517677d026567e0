import Credentials
import Service
import Site
import SiteData
import Storage
import Threads
import Vocabulary

/// The gate's `trust.db`, as a synchronisation sees it. Bundles are put to use in the background, for taps come first.
struct GateSyncStore: SyncStore {
    let trust: TrustStore
    let clock: SystemClock
    /// The zones whose people the gate keeps; nil: all.
    let zones: Set<String>?
    /// Is told of what came into use.
    let applied: @Sendable (TrustPublication) -> Void

    /// No header has more bytes than this.
    private static let longestHeader = 1024

    /// What was taken for other zones lacks people: nothing less than the whole makes up for that.
    var had: SyncChoice.Had? {
        guard let publication = trust.status.publication, publication.repository?.zones == zones else { return nil }
        return SyncChoice.Had(publication)
    }

    func version(ofWhole full: StagedFile, _ update: RepositoryUpdate) throws(ImportError) -> UInt64 {
        // No record is looked at here, so any ceiling does.
        var reader = BundleReader(expecting: BundleExpectation(
            site: update.site, state: update.state, having: nil, ceiling: .standard, issuedAt: update.issuedAt))
        for byte in try Self.storing({ () throws(SystemError) in try full.beginning(Self.longestHeader) }) {
            do throws(BundleError) {
                _ = try reader.feed([byte])
            } catch {
                throw .bundle(error)
            }
            if let header = reader.header { return header.version }
        }
        throw .bundle(.truncated)
    }

    func apply(full: StagedFile, changes: StagedFile?, site: StagedFile, _ update: RepositoryUpdate) throws(ImportError) -> TrustPublication {
        let files = (full: try Self.descriptor(full), changes: try changes.map(Self.descriptor), site: try Self.descriptor(site))
        return try inBackground { (trust, clock) throws(ImportError) in
            try trust.apply(full: files.full, changes: files.changes, site: files.site, update, clock: clock)
        }
    }

    func apply(changes: StagedFile?, site: StagedFile?, _ update: RepositoryUpdate) throws(ImportError) -> TrustPublication {
        let files = (changes: try changes.map(Self.descriptor), site: try site.map(Self.descriptor))
        return try inBackground { (trust, clock) throws(ImportError) in
            try trust.apply(changes: files.changes, site: files.site, update, clock: clock)
        }
    }

    var siteHash: [UInt8]? { trust.status.publication?.repository?.siteHash }

    func apply(siteAhead site: StagedFile, _ update: RepositoryUpdate) throws(ImportError) {
        guard let used = trust.status.publication, let facts = used.repository, facts.epoch == update.state.epoch else { throw .wholeNeeded }
        _ = try apply(changes: nil, site: site, RepositoryUpdate(
            site: update.site, state: SignedState(epoch: facts.epoch, version: used.version, digest: used.bodyHash), siteHash: update.siteHash,
            issuedAt: used.issuedAt, expiresAt: used.expiresAt, zones: facts.zones))
    }

    private func inBackground(_ body: @escaping @Sendable (TrustStore, ClockReading) throws(ImportError) -> TrustPublication) throws(ImportError) -> TrustPublication {
        let publication = try SiteDataImport.run("sync-data") { [trust, clock] () throws(ImportError) in
            try body(trust, clock.now().reading)
        }
        applied(publication)
        return publication
    }

    private static func descriptor(_ file: StagedFile) throws(ImportError) -> Int32 {
        try storing { () throws(SystemError) in try file.descriptor() }
    }

    private static func storing<Value>(_ body: () throws(SystemError) -> Value) throws(ImportError) -> Value {
        do throws(SystemError) {
            return try body()
        } catch {
            throw .storage(StorageError(.inputOutput, error.message))
        }
    }
}

extension SyncChoice.Had {
    /// What of a repository is in use; nil for data from elsewhere.
    init?(_ publication: TrustPublication) {
        guard let repository = publication.repository else { return nil }
        self.init(state: SignedState(epoch: repository.epoch, version: publication.version, digest: publication.bodyHash), siteHash: repository.siteHash)
    }
}
