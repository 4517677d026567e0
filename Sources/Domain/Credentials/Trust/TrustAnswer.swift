import Cryptography

/// What the site data say to a `TrustQuestion`.
public struct TrustAnswer: Hashable, Sendable {
    /// The issuer asked for, if it is trusted.
    public let issuer: TokenIssuer?
    /// Whether any of the revocations asked for is in force.
    public let isRevoked: Bool
    /// The enrolled keys asked for.
    public let enrolled: [EnrolledCandidate]
    /// The UID-only card asked for, if it is on the site's list.
    public let card: CardCandidate?
    /// The groups of the subject asked for, of too many some; none where no rule of the site asks for groups.
    public let groups: [String]
    /// Counts the publications applied by this gate; 0: there are no site data.
    public let generation: UInt64
    /// When the site data were issued, UNIX seconds; nil without site data.
    public var publicationIssuedAt: Int64?
    /// For how many seconds the gate has served since it verified data newer than those before. Site data are as old as the greater of this
    /// and what the clock says.
    public var servedSeconds: Int64 = 0

    /// One enrolled key that fits the question.
    public struct EnrolledCandidate: Hashable, Sendable {
        /// The key.
        public let key: EnrolledKey
        /// Whether any of `key.revocations` is in force.
        public let isRevoked: Bool
        /// The groups of its subject; none where no rule of the site asks for groups.
        public let groups: [String]
        /// The thumbprint of the key (RFC 9679).
        public let thumbprint: [UInt8]

        /// A key, whether it was revoked, and the groups of its subject.
        /// - Parameter thumbprint: the key's, by whoever knows it already.
        public init(key: EnrolledKey, isRevoked: Bool, groups: [String] = [], thumbprint: [UInt8]? = nil) {
            self.key = key
            self.isRevoked = isRevoked
            self.groups = groups
            self.thumbprint = thumbprint ?? key.key.thumbprint
        }
    }

    /// A UID-only card of the site's list.
    public struct CardCandidate: Hashable, Sendable {
        /// The card.
        public let card: UIDOnlyCard
        /// Whether any of `card.revocations` is in force.
        public let isRevoked: Bool
        /// The groups of its subject; none where no rule of the site asks for groups.
        public let groups: [String]

        /// A card, whether it was revoked, and the groups of its subject.
        public init(card: UIDOnlyCard, isRevoked: Bool, groups: [String] = []) {
            self.card = card
            self.isRevoked = isRevoked
            self.groups = groups
        }
    }

    /// An answer of the store.
    public init(issuer: TokenIssuer?, isRevoked: Bool, enrolled: [EnrolledCandidate], card: CardCandidate? = nil, groups: [String] = [],
                generation: UInt64, publicationIssuedAt: Int64?) {
        self.issuer = issuer
        self.isRevoked = isRevoked
        self.enrolled = enrolled
        self.card = card
        self.groups = groups
        self.generation = generation
        self.publicationIssuedAt = publicationIssuedAt
    }

    /// The answer of a gate without site data: it grants nothing.
    public static let absent = TrustAnswer(issuer: nil, isRevoked: false, enrolled: [], generation: 0,
                                           publicationIssuedAt: nil)
}

/// An issuer whose tokens the site trusts. An issuer has one key; a new key is a new issuer name.
public struct TokenIssuer: Hashable, Sendable {
    /// The name that its tokens carry as `iss`.
    public let name: String
    /// Its key (P-256).
    public let key: PublicKey
    /// The most that its tokens may say; nil: no more is asked than that they are signed.
    public let ceiling: IssuerCeiling?

    /// An issuer of the site data.
    public init(name: String, key: PublicKey, ceiling: IssuerCeiling? = nil) {
        self.name = name
        self.key = key
        self.ceiling = ceiling
    }
}
