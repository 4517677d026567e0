import ControlProtocol
import Credentials
import Storage

/// Everything by which whoever is asked about could be let through, and what the site data say of the person.
struct PersonFinding {
    /// One credential, and which revocations of it are in force.
    struct Found {
        let credential: AskedCredential
        let revoked: [TrustSearch.Revoked]
    }

    /// What there is to judge.
    private(set) var found: [Found] = []
    /// Whether anything in this gate names whoever was asked about.
    private(set) var isKnown = false
    /// The groups of the person, as far as rules ask for them.
    private(set) var groups: [String] = []
    /// Which revocations of the person, or of what was asked for, are in force.
    private(set) var revoked: [TrustSearch.Revoked] = []
    /// The name that was probably meant.
    private(set) var nearest: String?
    /// What else there is to say.
    private(set) var notes: [ExplainNote] = []

    /// Looks for whoever is asked about.
    /// - Parameters:
    ///   - ask: asks the site data as taps do.
    ///   - zones: the zones whose people alone are kept here; nil: everybody is.
    init(_ who: ExplainQuery.Who, _ parts: GateParts, zones: [String]?, _ ask: (TrustQuestion) -> TrustAnswer) throws(StorageError) {
        guard let person = try PersonSearch.run(for: who, in: parts.trust), let search = try parts.trust.search() else {
            if case .absent(let absence) = parts.trust.status.state { notes.append(.noData(code: absence.code, absence.message)) }
            if case .subject(let subject) = who { add(.unseenToken(subject: subject, ask(Self.question(subject)))) }
            return
        }
        switch who {
        case .subject(let subject): try addPerson(person, of: subject, parts, search, zones, ask)
        case .key(let key): try addKey(person, named: key, parts, search, ask)
        }
        if let zones { notes.append(.otherZones(zones)) }
    }

    private mutating func addPerson(_ person: PersonSearch, of subject: String, _ parts: GateParts, _ search: TrustSearch, _ zones: [String]?,
                               _ ask: (TrustQuestion) -> TrustAnswer) throws(StorageError) {
        let tokens = parts.tokens.tokens { $0.subject.utf8.elementsEqual(subject.utf8) }
        try add(person, tokens, search, ask)
        revoked = person.revoked
        let general = ask(Self.question(subject))
        groups = general.groups
        let isInside = !parts.state.passback.people(PersonDigest(subject: subject), zone: nil).isEmpty
        isKnown = !found.isEmpty || !groups.isEmpty || !person.revoked.isEmpty || isInside
        if !isKnown {
            nearest = person.nearest
            notes.append(.personUnknown(subject, nearest: person.nearest, isKeptByZones: zones != nil))
        }
        guard search.publication.counts.issuers > 0 else { return }
        if found.isEmpty { found.append(Found(credential: .unseenToken(subject: subject, general), revoked: person.revoked)) }
        notes.append(.tokensUnseen)
    }

    private mutating func addKey(_ named: PersonSearch, named key: [UInt8], _ parts: GateParts, _ search: TrustSearch,
                               _ ask: (TrustQuestion) -> TrustAnswer) throws(StorageError) {
        try add(named, parts.tokens.tokens { $0.identifier.bytes.starts(with: key) }, search, ask)
        revoked = named.revoked
        isKnown = !found.isEmpty
        guard !isKnown else { return }
        isKnown = !named.revoked.isEmpty
        notes.append(.keyUnknown)
        notes += named.revoked.map { .revokedUnseen(RevokedReport(revoked: $0).sentence) }
    }

    /// Asks about each as a tap would.
    private mutating func add(_ person: PersonSearch, _ tokens: [KnownToken], _ search: TrustSearch,
                              _ ask: (TrustQuestion) -> TrustAnswer) throws(StorageError) {
        var credentials: [AskedCredential] = []
        for thumbprint in person.keys {
            let answer = ask(TrustQuestion(issuer: nil, revocations: [], enrolled: .thumbprint(thumbprint)))
            credentials += answer.enrolled.map { .key($0, answer) }
        }
        for number in person.cards {
            let answer = ask(TrustQuestion(about: number))
            credentials += answer.card.map { [.card($0, answer)] } ?? []
        }
        credentials += tokens.map { .token($0, ask(TrustQuestion(about: .token($0.token)))) }
        if person.isMore || credentials.count > PersonSearch.most { notes.append(.more) }
        for credential in credentials.prefix(PersonSearch.most) {
            found.append(Found(credential: credential, revoked: try search.inForce(credential.revocations)))
        }
    }

    private mutating func add(_ credential: AskedCredential) { found.append(Found(credential: credential, revoked: [])) }

    /// What the site data say of everything of a person.
    private static func question(_ subject: String) -> TrustQuestion {
        TrustQuestion(issuer: nil, revocations: AskedCredential.revocations(of: subject), subject: subject, enrolled: .none)
    }
}
