import Credentials
import Cryptography
import Encoding
import Evidence
import SiteData
import SiteRules
import Storage
import Vocabulary

/// What is kept of a publication while it is read for some evidence.
struct ArchivedPublication {
    private let question: EvidenceQuestion
    private(set) var issuers: [PublicKey] = []
    private(set) var gates: [GateListEntry] = []
    private var enrolled: EnrolledKey?
    private var isRevoked = false
    private var rules: [SiteRecord] = []
    /// Those of whom the evidence is about.
    private var groups: [String] = []

    init(_ question: EvidenceQuestion) { self.question = question }

    mutating func add(_ record: PublicationRecord) {
        switch record {
        case .issuer(let issuer):
            issuers.append(issuer.key)
        case .gateCredential(let bytes):
            if let known = GateListEntry(parsing: bytes) { gates.append(known) }
        case .enrolled(let key):
            if key.key.thumbprint == question.enrolledKey { enrolled = key }
        case .revocation(let revocation):
            if question.concerns(revocation) { isRevoked = true }
        case .rule(.membership(let membership)):
            if membership.subject.utf8.elementsEqual(question.subject.utf8) { groups.append(membership.group) }
        case .rule(let rule):
            rules.append(rule)
        case .uidOnlyCard, .ceiling, .message:
            break
        }
    }

    /// What it says.
    func word(_ manifest: PublicationManifest) -> PublishedWord {
        PublishedWord(version: manifest.version, issuedAt: manifest.issuedAt, isRevoked: isRevoked, enrolled: enrolled, rules: verdict)
    }

    /// What a gate makes of the rules at the time of the record.
    private var verdict: PublishedWord.Rules {
        guard let rules = try? SiteRules(rules) else { return .unjudged }
        let zone = rules.timeZone.flatMap { try? TimeZoneFolder().read($0) }
        let moment = SiteMoment(ClockReading(seconds: question.seconds, trust: question.clock))
        switch SiteTimetable(rules, timeZone: zone).judge(groups: groups, lane: question.lane, at: moment) {
        case .free, .allowed: return .allowed
        case .tooManyGroups: return .refused
        case .outsideSchedule: return rules.timeZone != nil && zone == nil ? .unjudged : .refused
        }
    }
}

extension AuthorityDatabase {
    /// Whether the credential was revoked, and when first.
    func standing(of question: EvidenceQuestion) throws(AuthorityError) -> OfficeWord.Standing {
        var first: Int64?
        let query = try prepare("SELECT revoked_at FROM revocation WHERE kind = ?1 AND value = ?2 AND issuer = ?3")
        for revocation in question.revocations {
            defer { query.reset() }
            RevocationRow(revocation).bind(to: query)
            if try query.next() { first = min(first ?? .max, query.integer(0)) }
        }
        if let first { return .revoked(at: first) }
        for revocation in question.revocations where try isTakenBack(revocation) { return .revokedBySite }
        return .good
    }

    /// Whether the token was issued here, and when.
    func issue(of question: EvidenceQuestion) throws(AuthorityError) -> OfficeWord.Issue {
        guard let token = question.token else { return .notOurs }
        let query = try prepare("SELECT issued_at FROM token WHERE identifier = ?1")
        defer { query.reset() }
        query.bind(token.identifier.bytes, at: 1)
        if try query.next() { return .issued(at: query.integer(0)) }
        return try tokenIssuers().contains { $0.name.utf8.elementsEqual(token.issuer.utf8) } ? .never : .notOurs
    }
}
