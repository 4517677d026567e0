import Encoding

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

extension UpdateRefusal {
    /// Stable code for logs.
    public var code: String {
        switch reason {
        case .noTrustedRoot: "tuf-no-trusted-root"
        case .badTrustedRoot: "tuf-bad-trusted-root"
        case .metadata(let fault): fault.code
        case .arbitrarySoftware: "tuf-arbitrary-software"
        case .rootNotContinued: "tuf-root-not-continued"
        case .rootNotSelfSigned: "tuf-root-not-self-signed"
        case .rootSkipped: "tuf-root-skipped"
        case .tooManyRoots: "tuf-too-many-roots"
        case .rollback: "tuf-rollback"
        case .roleRemoved: "tuf-role-removed"
        case .mixAndMatch: "tuf-mix-and-match"
        case .freeze: "tuf-freeze"
        case .issuedInFuture: "issued-in-future"
        case .clockBeforeRoot: "clock-before-root"
        case .endlessData: "tuf-endless-data"
        case .slowRetrieval: "tuf-slow-retrieval"
        case .missingFile: "tuf-missing-file"
        case .unavailable: "tuf-unavailable"
        case .roleNotInSnapshot: "tuf-role-not-in-snapshot"
        case .tooManyRoles: "tuf-too-many-roles"
        case .unsafeTargetPath: "tuf-unsafe-target-path"
        case .noSuchTarget: "tuf-no-such-target"
        case .wrongTargetLength: "tuf-wrong-target-length"
        case .wrongTargetHash: "tuf-wrong-target-hash"
        case .unknownHash: "tuf-unknown-hash"
        case .disk: "tuf-disk"
        }
    }

    /// One English sentence for people.
    public var message: String {
        switch reason {
        case .noTrustedRoot: "There is no root to begin with."
        case .badTrustedRoot(.some(let fault)): "The root to begin with is none. \(fault.message)"
        case .badTrustedRoot(.none): "The root to begin with is not signed by its own keys."
        case .metadata(let fault): fault.message
        case .arbitrarySoftware(let count): "\(Self.words(count)) have signed it."
        case .rootNotContinued(let count): "\(Self.words(count)) of the root before it have signed it."
        case .rootNotSelfSigned(let count): "\(Self.words(count)) of its own have signed it."
        case .rootSkipped(let found, let expected): "It has version \(found), but \(expected) comes next."
        case .tooManyRoots(let limit): "There are more than \(limit) new roots; the next run goes on from the last one."
        case .rollback(let role, let found, let known): "It has version \(found) of \(role), but \(known) is known."
        case .roleRemoved(let name): "It no longer lists \(name)."
        case .mixAndMatch(let difference): "Its \(difference.rawValue) is not the one that it must have."
        case .freeze(let expired): "It has expired on \(UTCText.make(seconds: expired))."
        case .issuedInFuture(let issued, let latest):
            "It says that it was signed on \(UTCText.make(seconds: issued)), and by this machine's clock it is no later than \(UTCText.make(seconds: latest)). "
                + "One of the two clocks is wrong: compare both with a watch. If it is the signer's, sign anew with the right time."
        case .clockBeforeRoot(let clock, let issued):
            "The clock stands at \(UTCText.make(seconds: clock)), before the site's root was made (\(UTCText.make(seconds: issued))), and nobody vouches for it. "
                + "Set the clock."
        case .endlessData(let limit): "It has more than \(limit) bytes."
        case .slowRetrieval: "It came too slowly."
        case .missingFile(let name): "The repository has no file \(name), or does not give it out; a link or a pipe of that name is none."
        case .unavailable(let sentence): sentence
        case .roleNotInSnapshot: "The snapshot does not list it."
        case .tooManyRoles(let limit): "More than \(limit) delegated roles would have to be asked."
        case .unsafeTargetPath(let path): "The path '\(path)' of a target is not allowed."
        case .noSuchTarget(let path): "No role describes the target '\(path)'."
        case .wrongTargetLength(let expected): "The target does not have \(expected) bytes."
        case .wrongTargetHash: "The target has another hash than it must have."
        case .unknownHash: "It has no hash that this version knows."
        case .disk(let sentence): sentence
        }
    }

    private static func words(_ count: SignatureCount) -> String {
        "\(count.signed) of \(count.threshold) keys that are needed"
    }
}
