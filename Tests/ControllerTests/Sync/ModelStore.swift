import SiteData

@testable import Controller
@testable import Sync
@testable import Storage

/// Site data of which only the names of the files are kept: what was put to use, and what is refused.
final class ModelStore: SyncStore {
    var had: SyncChoice.Had?
    /// What was applied: `whole`, `whole+changes`, `changes`, `site`, `changes+site`, `site ahead`.
    private(set) var applied: [String] = []
    /// Thrown by the next calls, in turn.
    var refusals: [ImportError] = []
    /// To which version the whole leads.
    var wholeVersion: UInt64 = 1

    func version(ofWhole full: StagedFile, _ update: RepositoryUpdate) throws(ImportError) -> UInt64 { wholeVersion }

    func apply(full: StagedFile, changes: StagedFile?, site: StagedFile, _ update: RepositoryUpdate) throws(ImportError) -> TrustPublication {
        try apply(changes == nil ? "whole" : "whole+changes", update)
    }

    func apply(changes: StagedFile?, site: StagedFile?, _ update: RepositoryUpdate) throws(ImportError) -> TrustPublication {
        try apply([changes.map { _ in "changes" }, site.map { _ in "site" }].compactMap { $0 }.joined(separator: "+"), update)
    }

    var siteHash: [UInt8]? { had?.siteHash }

    func apply(siteAhead site: StagedFile, _ update: RepositoryUpdate) throws(ImportError) {
        applied.append("site ahead")
        had = had.map { SyncChoice.Had(state: $0.state, siteHash: update.siteHash) }
    }

    private func apply(_ what: String, _ update: RepositoryUpdate) throws(ImportError) -> TrustPublication {
        applied.append(what)
        if !refusals.isEmpty { throw refusals.removeFirst() }
        had = SyncChoice.Had(state: update.state, siteHash: update.siteHash)
        return TrustPublication(
            site: update.site, version: update.state.version, issuedAt: update.issuedAt, expiresAt: update.expiresAt, bodyHash: update.state.digest,
            counts: PublicationCounts(), generation: 1, origin: .repository)
    }
}
