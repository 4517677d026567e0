import Encoding

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
