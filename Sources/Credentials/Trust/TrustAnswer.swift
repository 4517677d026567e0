/// What the site data say to a `TrustQuestion`.
public struct TrustAnswer: Hashable, Sendable {
    /// The issuer asked for, if it is trusted.
    public let issuer: TokenIssuer?
    /// Whether any of the revocations asked for is in force.
    public let isRevoked: Bool
    /// The enrolled keys asked for.
    public let enrolled: [EnrolledCandidate]
    /// Counts the publications applied by this gate; 0: there are no site data.
    public let generation: UInt64
    /// When the site data were issued, UNIX seconds; nil without site data.
    public let publicationIssuedAt: Int64?

    /// One enrolled key that fits the question.
    public struct EnrolledCandidate: Hashable, Sendable {
        /// The key.
        public let key: EnrolledKey
        /// Whether any of `key.revocations` is in force.
        public let isRevoked: Bool

        /// A key and whether it was revoked.
        public init(key: EnrolledKey, isRevoked: Bool) {
            self.key = key
            self.isRevoked = isRevoked
        }
    }

    /// An answer of the store.
    public init(issuer: TokenIssuer?, isRevoked: Bool, enrolled: [EnrolledCandidate], generation: UInt64,
                publicationIssuedAt: Int64?) {
        self.issuer = issuer
        self.isRevoked = isRevoked
        self.enrolled = enrolled
        self.generation = generation
        self.publicationIssuedAt = publicationIssuedAt
    }

    /// The answer of a gate without site data: it grants nothing.
    public static let absent = TrustAnswer(issuer: nil, isRevoked: false, enrolled: [], generation: 0,
                                           publicationIssuedAt: nil)
}
