/// Why an update ended: which role's file was refused, and why.
public struct UpdateRefusal: Error, Hashable, Sendable {
    /// Whose file it was; of a target, the role that describes it.
    public let role: RoleName
    /// Why.
    public let reason: Reason

    /// A refusal. Those who fetch and keep files make the ones that `Update` knows nothing of.
    public init(_ role: RoleName, _ reason: Reason) {
        self.role = role
        self.reason = reason
    }

    /// What was wrong; most are named after the attack that it would be.
    public enum Reason: Hashable, Sendable {
        /// There is no root to begin with.
        case noTrustedRoot
        /// The root to begin with is not signed by itself, or is no root at all.
        case badTrustedRoot(MetadataFault?)
        /// A file is not what it must be, whoever signed it.
        case metadata(MetadataFault)
        /// Fewer keys have signed than are needed.
        case arbitrarySoftware(SignatureCount)
        /// A new root is not signed as the old one demands.
        case rootNotContinued(SignatureCount)
        /// A new root is not signed as it demands itself.
        case rootNotSelfSigned(SignatureCount)
        /// A new root is not the one after the old one.
        case rootSkipped(found: Int64, expected: Int64)
        /// More new roots than one run may take.
        case tooManyRoots(limit: Int)
        /// A file, or what it says of another one, is older than what is known.
        case rollback(of: RoleName, found: Int64, known: Int64)
        /// The snapshot no longer lists a file that it listed.
        case roleRemoved(String)
        /// A file is not the one that another role speaks of.
        case mixAndMatch(Difference)
        /// A file has expired; UNIX seconds.
        case freeze(expired: Int64)
        /// A file says that it was signed at a time that has not come yet; UNIX seconds, as the latest that it can be.
        case issuedInFuture(issued: Int64, latest: Int64)
        /// The clock, for which nobody vouches, stands before the newest root was made; UNIX seconds.
        case clockBeforeRoot(clock: Int64, issued: Int64)
        /// More bytes than are allowed.
        case endlessData(limit: Int64)
        /// Too few bytes a second, or too many seconds.
        case slowRetrieval
        /// The repository does not have a file that it must have.
        case missingFile(String)
        /// The repository could not be reached, or broke off; a sentence.
        case unavailable(String)
        /// A role is delegated to, but the snapshot does not list it.
        case roleNotInSnapshot
        /// A search asked as many roles as it may, and there are more.
        case tooManyRoles(limit: Int)
        /// The path of a target leads elsewhere.
        case unsafeTargetPath(String)
        /// No role describes a target.
        case noSuchTarget(String)
        /// A target is longer or shorter than it must be.
        case wrongTargetLength(expected: Int64)
        /// A target has other contents than it must have.
        case wrongTargetHash
        /// A file or target has hashes of unknown kinds only.
        case unknownHash
        /// A file could not be kept; a sentence.
        case disk(String)
    }

    /// In what a file differs from what another role says of it.
    public enum Difference: String, Hashable, Sendable {
        /// Its length.
        case length
        /// Its hash.
        case hash
        /// Its version.
        case version
    }
}
