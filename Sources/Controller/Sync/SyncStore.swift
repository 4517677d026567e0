import Storage
import TrustSync

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
