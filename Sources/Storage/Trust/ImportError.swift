import TrustSync

/// Why a publication was not applied. The trust data in use stay as they are.
public enum ImportError: Error, Hashable, Sendable {
    /// The publication itself is refused.
    case publication(PublicationError)
    /// The disk or the database failed; the same publication may be tried again.
    case storage(StorageError)
    /// Two records name the same issuer.
    case duplicateIssuer(String)

    /// The stable code.
    public var code: String {
        switch self {
        case .publication(let error): error.code
        case .storage(let error): error.code
        case .duplicateIssuer: "publication-duplicate-issuer"
        }
    }

    /// One sentence for people.
    public var message: String {
        switch self {
        case .publication(let error): error.message
        case .storage(let error): error.message
        case .duplicateIssuer(let name): "The publication names the issuer \(name) twice."
        }
    }
}
