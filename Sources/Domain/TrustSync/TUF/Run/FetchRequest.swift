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
