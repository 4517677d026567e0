import Credentials

/// An enrolled key as the authority's folder has it.
public struct KnownEnrolment: Hashable, Sendable {
    /// The key, and what it may.
    public let key: EnrolledKey
    /// Since when it is enrolled like this, UNIX seconds; nil where nobody says.
    public let since: Int64?

    /// An enrolled key.
    public init(_ key: EnrolledKey, since: Int64? = nil) {
        self.key = key
        self.since = since
    }
}
