import Cryptography

/// What verification must know from the site data about one presented credential.
public struct TrustQuestion: Hashable, Sendable {
    /// The issuer to look up; nil when none is needed.
    public let issuer: String?
    /// Whether any of these was revoked.
    public let revocations: [Revocation]
    /// The person whose groups to look up; nil when none is known yet. Those of enrolled keys and cards come with them.
    public let subject: String?
    /// The enrolled keys to look up.
    public let enrolled: EnrolledLookup
    /// The UID-only card to look up; nil when none is needed.
    public let card: UIDOnlyCardNumber?

    /// How enrolled keys are looked up.
    public enum EnrolledLookup: Hashable, Sendable {
        /// None is needed.
        case none
        /// By `kid`, which several keys may share: at most `TrustQuestion.mostCandidates` are given.
        case keyIdentifier([UInt8])
        /// By thumbprint (RFC 9679).
        case thumbprint([UInt8])
    }

    /// `kid` is not unique: so many enrolled keys are tried at most.
    public static let mostCandidates = 4

    /// A question in its parts.
    public init(issuer: String?, revocations: [Revocation], subject: String? = nil, enrolled: EnrolledLookup,
                card: UIDOnlyCardNumber? = nil) {
        self.issuer = issuer
        self.revocations = revocations
        self.subject = subject
        self.enrolled = enrolled
        self.card = card
    }

    /// The question about a reference: the enrolled keys of that `kid` and, if the gate knows a token by it, the
    /// token, in one question, so that one generation of the site data answers for all.
    public init(about reference: [UInt8], known token: Token?) {
        self.init(issuer: token?.issuer, revocations: token?.revocations ?? [], subject: token?.subject, enrolled: .keyIdentifier(reference))
    }

    /// The question about a UID-only card.
    public init(about card: UIDOnlyCardNumber) {
        self.init(issuer: nil, revocations: [], enrolled: .none, card: card)
    }

    /// The question about a credential.
    public init(about presented: PresentedCredential) {
        switch presented {
        case .token(let token), .tokenBesideKey(let token, _), .tokenBesideReference(let token, _):
            self.init(issuer: token.issuer, revocations: token.revocations, subject: token.subject, enrolled: .none)
        case .keyIdentifier(let keyIdentifier):
            self.init(about: keyIdentifier, known: nil)
        case .key(let credential):
            self.init(issuer: nil, revocations: [], enrolled: .thumbprint(credential.key.key.thumbprint))
        }
    }
}

extension Token {
    /// Every revocation that would take this token back.
    public var revocations: [Revocation] {
        [.token(identifier), .issued(issuer: issuer, cti: identifierClaim), .subject(subject),
         .key(thumbprint: confirmationKey.thumbprint), .suspended(subject), .issuer(issuer)]
    }
}

extension EnrolledKey {
    /// Every revocation that would take this key back.
    public var revocations: [Revocation] { revocations(thumbprint: key.thumbprint) }

    /// The same for who knows the key's thumbprint already: it takes a hash to make it.
    public func revocations(thumbprint: [UInt8]) -> [Revocation] {
        [.subject(subject), .key(thumbprint: thumbprint), .suspended(subject)]
    }
}

/// What a site can take back.
public enum Revocation: Hashable, Sendable {
    /// One issued token.
    case token(TokenIdentifier)
    /// One issued token by the issuer's own number of it.
    case issued(issuer: String, cti: [UInt8])
    /// Everything of one person or account.
    case subject(String)
    /// Everything of one person or account, until the site lets it count again.
    case suspended(String)
    /// One key, by its thumbprint (RFC 9679), in tokens and enrolled.
    case key(thumbprint: [UInt8])
    /// Every token of one issuer, until the site lets it count again.
    case issuer(String)
}
