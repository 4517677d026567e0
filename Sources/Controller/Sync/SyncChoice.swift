import SiteData
import Storage

/// Which bundles a gate fetches next: worked out from what it has and what was signed (S4).
enum SyncChoice: Equatable, Sendable {
    /// It has all of it.
    case nothing
    /// What the site decides is new, and people are as they were.
    case site
    /// What has changed of people since a version, and perhaps what the site decides.
    case changes(since: UInt64, withSite: Bool)
    /// All of it.
    case whole

    /// What was signed.
    struct Signed: Equatable, Sendable {
        /// The newest state of people.
        let state: SignedState
        /// SHA-256 of the site's part.
        let siteHash: [UInt8]
        /// The bundles of changes that are to be had.
        let offers: [DeltaChoice.Offer]
    }

    /// What a gate has of the repository.
    struct Had: Equatable, Sendable {
        let state: SignedState
        let siteHash: [UInt8]
    }

    /// - Parameter had: nil for a gate that has nothing of a repository.
    init(having had: Had?, of signed: Signed) {
        guard let had, had.state.epoch == signed.state.epoch, had.state.version <= signed.state.version else {
            // Another epoch begins with the whole. Whether it is a later one, and no version an older one, the store looks to.
            self = .whole
            return
        }
        let isSiteNew = had.siteHash != signed.siteHash
        if had.state == signed.state {
            self = isSiteNew ? .site : .nothing
        } else if had.state.version == signed.state.version {
            // One version with two contents: somebody counted anew after a restore.
            self = .whole
        } else {
            // However long the changes are: the whole may be an old and short one, of which they would be needed besides.
            switch DeltaChoice(having: had.state.version, offers: signed.offers, fullLength: .max) {
            case .changes(let since): self = .changes(since: since, withSite: isSiteNew)
            case .full: self = .whole
            }
        }
    }
}

/// The site data of a gate, as a synchronisation sees them. The bytes of the files were verified.
protocol SyncStore {
    /// What is in use; nil where it is none of a repository.
    var had: SyncChoice.Had? { get }
    /// To which version a bundle leads that has all people.
    func version(ofWhole full: StagedFile, _ update: RepositoryUpdate) throws(ImportError) -> UInt64
    /// Uses all of it from then on, with the changes since.
    func apply(full: StagedFile, changes: StagedFile?, site: StagedFile, _ update: RepositoryUpdate) throws(ImportError) -> TrustPublication
    /// SHA-256 of the site's part that is in use; nil where it is none of a repository.
    var siteHash: [UInt8]? { get }
    /// Uses another part of the site from then on, with the people that there are, who are as old as they were.
    func apply(siteAhead site: StagedFile, _ update: RepositoryUpdate) throws(ImportError)
    /// Makes changes to what is in use.
    func apply(changes: StagedFile?, site: StagedFile?, _ update: RepositoryUpdate) throws(ImportError) -> TrustPublication
}
