import Credentials
import Encoding
import Spelling

/// Whom and what the office knows. A name that was mistyped is nobody's: to take something back from nobody lets its owner in.
extension Authority {
    /// Refuses to take back what nobody has.
    /// - Throws: `unknown`, with the name that was probably meant.
    public func refuseUnknown(_ named: Revocation) throws(AuthorityError) {
        let revocation = try named.checked()
        guard try !database.has(revocation), try !database.isKnown(revocation) else { return }
        switch revocation {
        case .subject(let subject), .suspended(let subject): throw .unknown("the subject '\(subject)'", nearest: try nearestSubject(to: subject))
        case .key(let thumbprint): throw .unknown("the key \(Hex.encode(thumbprint))", nearest: nil)
        case .token(let identifier): throw .unknown("the token \(identifier)", nearest: nil)
        case .issuer(let issuer): throw .noIssuer(issuer, nearest: NearestName.find(issuer, among: try database.tokenIssuers().map(\.name)))
        case .issued(let issuer, let cti):
            let issuers = try database.tokenIssuers().map(\.name)
            let isKnown = issuers.contains { $0.utf8.elementsEqual(issuer.utf8) }
            throw .unknown("a token \(Hex.encode(cti)) of the issuer '\(issuer)'", nearest: isKnown ? nil : NearestName.find(issuer, among: issuers))
        }
    }

    /// The same of a token that somebody brought: one of this site's issuers is known, though a backup may have forgotten it.
    public func refuseUnknown(_ token: Token) throws(AuthorityError) {
        if try database.tokenIssuers().contains(where: { $0.name.utf8.elementsEqual(token.issuer.utf8) }) { return }
        try refuseUnknown(.token(token.identifier))
    }

    /// Refuses a name that nobody has.
    /// - Throws: `nobody`, with the name that was probably meant.
    public func refuseNobody(_ named: String) throws(AuthorityError) {
        let subject = try SubjectName.ofAnybody(named)
        guard try !database.isNamed(subject) else { return }
        throw .nobody(subject, nearest: try nearestSubject(to: subject))
    }

    /// The known name that is most like another one; nil if none is.
    func nearestSubject(to subject: String) throws(AuthorityError) -> String? {
        var search = NearestSearch(for: subject)
        try database.forEachSubject { search.look(at: $0) }
        return search.nearest
    }

    /// Other people whose names are this one but for case, accents, blanks and underscores, in order: whoever is in a hurry takes one for the other.
    public func namesLike(_ named: String) throws(AuthorityError) -> [String] {
        var search = AlikeNames(to: try SubjectName.ofAnybody(named))
        try database.forEachSubject { search.look(at: $0) }
        return search.found.sorted()
    }

    /// Among those of whom everything is revoked in some way, the name that is most like that of somebody whom nobody knows.
    func nearest(to subject: String, takenBack isSought: (Revocation) -> Bool) throws(AuthorityError) -> String? {
        guard try !database.isKnown(.subject(subject)) else { return nil }
        var search = NearestSearch(for: subject)
        try database.forEachRevocation { revocation, _ in
            switch revocation {
            case .subject(let name), .suspended(let name): if isSought(revocation) { search.look(at: name) }
            case .key, .token, .issued, .issuer: break
            }
        }
        if let nearest = search.nearest { return nearest }
        return try nearestSubject(to: subject)
    }
}

extension AuthorityDatabase {
    /// Who is listed where: an enrolled key, a token, a card, a group.
    private static let listsOfSubjects = ["enrolled", "token", "plain_card", "membership"]

    /// Whether somebody is listed by that name, or was revoked by it.
    func isNamed(_ subject: String) throws(AuthorityError) -> Bool {
        if try isKnown(.subject(subject)) { return true }
        if try isTakenBack(.subject(subject)) { return true }
        return try isTakenBack(.suspended(subject))
    }

    /// Whether anybody has what a revocation names.
    func isKnown(_ revocation: Revocation) throws(AuthorityError) -> Bool {
        switch revocation {
        case .subject(let subject), .suspended(let subject):
            for list in Self.listsOfSubjects { if try isThere(list, "subject = CAST(?1 AS TEXT)", Array(subject.utf8)) { return true } }
            return false
        case .key(let thumbprint):
            for list in ["enrolled", "token"] { if try isThere(list, "thumbprint = ?1", thumbprint) { return true } }
            return false
        case .token(let identifier): return try isThere("token", "identifier = ?1", identifier.bytes)
        case .issuer(let issuer): return try tokenIssuers().contains { $0.name.utf8.elementsEqual(issuer.utf8) }
        case .issued(let issuer, let cti):
            let query = try prepare("SELECT 1 FROM token WHERE issuer = ?1 AND cti = ?2 LIMIT 1")
            query.bind(issuer, at: 1)
            query.bind(cti, at: 2)
            return try query.exists()
        }
    }

    private func isThere(_ list: String, _ condition: String, _ value: [UInt8]) throws(AuthorityError) -> Bool {
        let query = try prepare("SELECT 1 FROM \(list) WHERE \(condition) LIMIT 1")
        query.bind(value, at: 1)
        return try query.exists()
    }

    /// Goes through the names of people, each as often as it is listed.
    fileprivate func forEachSubject(_ body: (String) -> Void) throws(AuthorityError) {
        let query = try prepare(Self.listsOfSubjects.map { "SELECT subject FROM \($0)" }.joined(separator: " UNION ALL "))
        defer { query.reset() }
        while try query.next() { body(query.text(0)) }
    }
}
