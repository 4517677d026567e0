/// What is known of the time at which the files of a repository can have been signed: by what the dates in them are judged.
public enum SigningDates: Hashable, Sendable {
    /// The dates are not looked at: they are no part of the specification.
    case ignored
    /// A clock that somebody vouches for: nothing can have been signed later than this, UNIX seconds.
    case notAfter(Int64)
    /// Nobody vouches for the clock. It has come to this moment at least, UNIX seconds; where root is newer, what has expired would pass for fresh.
    case sureOf(Int64)
}

extension Update {
    /// Whether a file counts at the time of this run: it had not expired when the run began, and was not signed later than it can have been.
    func checkTimes(_ header: MetadataHeader, _ role: RoleName) throws(UpdateRefusal) {
        if case .notAfter(let latest) = dates, let issued = header.issued, issued > latest {
            throw UpdateRefusal(role, .issuedInFuture(issued: issued, latest: latest))
        }
        guard !header.isExpired(at: startedAt) else { throw UpdateRefusal(role, .freeze(expired: header.expires)) }
    }

    /// The roots before the newest one may say what they like: it takes the place of theirs.
    func checkTimesOfNewestRoot() throws(UpdateRefusal) {
        if case .sureOf(let moment) = dates, let issued = root.header.issued, issued > moment {
            throw UpdateRefusal(.root, .clockBeforeRoot(clock: moment, issued: issued))
        }
        try checkTimes(root.header, .root)
    }
}
