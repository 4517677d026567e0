import Credentials
import Cryptography

/// What one publication of the site says of whom some evidence is about.
public struct PublishedWord: Hashable, Sendable {
    public let version: UInt64
    /// UNIX seconds.
    public let issuedAt: Int64
    /// Whether it takes the credential back.
    public let isRevoked: Bool
    /// The enrolled key that the evidence is about, if it has that.
    public let enrolled: EnrolledKey?
    /// Whether its rules let the person pass this lane at that time.
    public let rules: Rules

    /// What rules of a site say about somebody.
    public enum Rules: Hashable, Sendable {
        /// None binds them, or one lets them pass.
        case allowed
        /// They bind them, and none was in force.
        case refused
        /// They go by a time zone whose data this machine does not have.
        case unjudged
    }

    /// What a publication says.
    public init(version: UInt64, issuedAt: Int64, isRevoked: Bool = false, enrolled: EnrolledKey? = nil, rules: Rules = .allowed) {
        self.version = version
        self.issuedAt = issuedAt
        self.isRevoked = isRevoked
        self.enrolled = enrolled
        self.rules = rules
    }
}

/// What the authority's folder says of whom some evidence is about.
public struct OfficeWord: Hashable, Sendable {
    /// Whether the credential was revoked.
    public enum Standing: Hashable, Sendable {
        case good
        /// Since then, UNIX seconds.
        case revoked(at: Int64)
        /// By the site's own rules, which say nothing of when.
        case revokedBySite
    }

    /// Whether a token was issued.
    public enum Issue: Hashable, Sendable {
        /// No token was shown, or it is one of an issuer that this authority does not have.
        case notOurs
        /// UNIX seconds.
        case issued(at: Int64)
        /// One of its issuers is named, and it has not issued it.
        case never
    }

    public let standing: Standing
    public let issue: Issue

    /// What it says.
    public init(standing: Standing = .good, issue: Issue = .notOurs) {
        self.standing = standing
        self.issue = issue
    }
}
