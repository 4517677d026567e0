/// A file that is to be fetched from the repository.
public struct FetchRequest: Hashable, Sendable {
    /// Below which of the repository's two addresses it lies.
    public let place: Place
    /// What is appended to the address, after a slash: already in the form of a URL's path, and in no way out of
    /// the folder.
    public let name: String
    /// More bytes than this are an attack: to be stopped at the first one too many.
    public let limit: Int64

    /// The two folders of a repository.
    public enum Place: Hashable, Sendable {
        /// Metadata.
        case metadata
        /// What the metadata describes.
        case targets
    }

    init(_ place: Place, _ name: String, limit: Int64) {
        self.place = place
        self.name = name
        self.limit = limit
    }
}

/// Why a file could not be fetched, in the words of whoever tried.
public enum FetchFailure: Hashable, Sendable {
    /// The repository answers and says that it has no such file (404, or 403 as object stores say it).
    case missing
    /// It sent more bytes than were asked for.
    case endless
    /// It sent them too slowly.
    case slow
    /// It could not be reached, or broke off; a sentence.
    case unavailable(String)

    /// What it means where one cannot go on without the file. Of targets, which no `Update` fetches, their fetchers say the same.
    public func reason(for request: FetchRequest) -> UpdateRefusal.Reason {
        switch self {
        case .missing: .missingFile(request.name)
        case .endless: .endlessData(limit: request.limit)
        case .slow: .slowRetrieval
        case .unavailable(let sentence): .unavailable(sentence)
        }
    }
}
