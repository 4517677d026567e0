import Credentials
import Encoding
import Service
import Tap
import Vocabulary

/// Something by which a person could be let through, with what the site data say of it: asked as a tap asks, and once, so that one generation
/// of the data answers for all lanes and times.
enum AskedCredential: Sendable {
    /// An enrolled key.
    case key(TrustAnswer.EnrolledCandidate, TrustAnswer)
    /// A UID-only card.
    case card(TrustAnswer.CardCandidate, TrustAnswer)
    /// A token that its phone has shown here.
    case token(KnownToken, TrustAnswer)
    /// A token that this gate has not seen: there may be one, and what it says nobody here knows.
    case unseenToken(subject: String, TrustAnswer)

    /// Whose it is.
    var subject: String {
        switch self {
        case .key(let candidate, _): candidate.key.subject
        case .card(let candidate, _): candidate.card.subject
        case .token(let known, _): known.token.claims.subject
        case .unseenToken(let subject, _): subject
        }
    }

    /// Everything that would take it back.
    var revocations: [Revocation] {
        switch self {
        case .key(let candidate, _): candidate.key.revocations(thumbprint: candidate.thumbprint)
        case .card(let candidate, _): candidate.card.revocations
        case .token(let known, _): known.token.revocations
        case .unseenToken(let subject, _): AskedCredential.revocations(of: subject)
        }
    }

    /// What takes back everything of a person.
    static func revocations(of subject: String) -> [Revocation] { [.subject(subject), .suspended(subject)] }

    /// From when it is valid, and from when no more, UNIX seconds; nil: no limit.
    var validity: (from: Int64?, to: Int64?) {
        switch self {
        case .key(let candidate, _): (candidate.key.notBefore, candidate.key.expiresAt)
        case .card(let candidate, _): (candidate.card.notBefore, candidate.card.expiresAt)
        case .token(let known, _): (known.token.claims.notBefore, known.token.claims.expiresAt)
        case .unseenToken: (nil, nil)
        }
    }

    /// The places where it counts; empty: the whole site.
    var audiences: [String] {
        switch self {
        case .key(let candidate, _): candidate.key.audiences
        case .card(let candidate, _): candidate.card.audiences
        case .token(let known, _): known.token.claims.audiences
        case .unseenToken: []
        }
    }

    /// The commands that it may run.
    var scope: [String] {
        switch self {
        case .key(let candidate, _): candidate.key.scope
        case .card, .unseenToken: [UIDOnlyCard.command]
        case .token(let known, _): known.token.claims.scope
        }
    }

    /// What the site data said.
    var answer: TrustAnswer {
        switch self {
        case .key(_, let answer), .card(_, let answer), .token(_, let answer), .unseenToken(_, let answer): answer
        }
    }

    /// The most that its issuer may say; nil where nothing bounds it.
    var ceiling: IssuerCeiling? {
        switch self {
        case .token(_, let answer): answer.issuer?.ceiling
        case .key, .card, .unseenToken: nil
        }
    }

    /// Whether the age of the site data counts.
    var isToken: Bool {
        switch self {
        case .token, .unseenToken: true
        case .key, .card: false
        }
    }

    /// What names it in the journal; nil where nobody knows.
    var identifier: [UInt8]? {
        switch self {
        case .key(let candidate, _): candidate.thumbprint
        case .card(let candidate, _): candidate.card.number.identifier
        case .token(let known, _): known.token.identifier.bytes
        case .unseenToken: nil
        }
    }

    /// Its kind, in one word.
    var kind: String {
        switch self {
        case .key: "key"
        case .card: "card"
        case .token: "token"
        case .unseenToken: "unseen-token"
        }
    }

    /// What people call it: the digits are those of events and log.
    var called: String { identifier.map { "\(kind) \(ShortIdentifier($0))" } ?? "any token" }

    /// Whether nobody here knows that there is such a thing.
    var isImagined: Bool { if case .unseenToken = self { true } else { false } }
}

extension AskedCredential {
    /// Whose it is and what is against it, by the very verification of a tap.
    /// - Parameter ahead: by how many seconds the site data are older then than now, should no newer ones come.
    func holder(by identifier: Identifier, _ clock: ClockReading, ahead: Int64, command: String) -> Holder {
        switch self {
        case .key(let candidate, let answer): identifier.holder(of: candidate, answer, clock, command: command)
        case .card(let candidate, let answer): identifier.holder(of: candidate, answer, clock)
        case .token(let known, let answer):
            identifier.holder(of: known.token, verifiedIn: known.generation, answer.aged(by: ahead), clock, command: command)
        case .unseenToken(let subject, let answer): identifier.holder(ofAnyTokenOf: subject, answer.aged(by: ahead), clock)
        }
    }
}

extension TrustAnswer {
    fileprivate func aged(by seconds: Int64) -> TrustAnswer {
        var answer = self
        answer.servedSeconds += max(0, seconds)
        return answer
    }
}

extension Identifier {
    /// The holder of a token that is good, if nothing is against every token of that person.
    fileprivate func holder(ofAnyTokenOf subject: String, _ answer: TrustAnswer, _ clock: ClockReading) -> Holder {
        let result = Verification.foresee(anyTokenOf: subject, answer: answer, clock: clock, policy: policy)
        return Holder(result: result, identifier: [], subject: subject, groups: answer.groups)
    }
}
