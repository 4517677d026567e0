import SiteData

/// Why a publication was not applied. The site data in use stay as they are.
public enum ImportError: Error, Hashable, Sendable {
    /// The publication itself is refused.
    case publication(PublicationError)
    /// A bundle of a repository is refused.
    case bundle(BundleError)
    /// The changes cannot be made to the data in use: the whole must be fetched.
    case wholeNeeded
    /// The disk or the database failed; the same publication may be tried again.
    case storage(StorageError)
    /// What was given is a pipe, a device, a folder: no regular file.
    case notAFile
    /// Two records name the same issuer.
    case duplicateIssuer(String)
    /// Two records are of the same UID-only card.
    case duplicateUIDOnlyCard
    /// The state folder holds what an authority signed: a site's file does not take its place by itself.
    case signedDataThere(version: UInt64, path: String)

    /// The stable code.
    public var code: String {
        switch self {
        case .publication(let error): error.code
        case .bundle(let error): error.code
        case .wholeNeeded: "bundle-whole-needed"
        case .storage(let error): error.code
        case .notAFile: "publication-not-a-file"
        case .duplicateIssuer: "publication-duplicate-issuer"
        case .duplicateUIDOnlyCard: "publication-duplicate-plain-card"
        case .signedDataThere: "site-data-signed"
        }
    }

    /// One sentence for people.
    public var message: String {
        switch self {
        case .publication(let error): error.message
        case .bundle(let error): error.message
        case .wholeNeeded: "The changes cannot be made to the site data in use; the whole list of people is fetched instead."
        case .storage(let error): error.message
        case .notAFile: "What was to be applied is no regular file."
        case .duplicateIssuer(let name): "The publication names the issuer \(name) twice."
        case .duplicateUIDOnlyCard: "Two records of the publication are of one UID-only card."
        case .signedDataThere(let version, let path):
            "\(path) holds publication \(version), which an authority signed. To stay with the authority set trust.root again in the "
                + "place of trust.site-file; to go on without it: sudo systemctl stop tapstiled && sudo rm \(path) && sudo systemctl start tapstiled"
        }
    }
}
