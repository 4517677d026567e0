import Credentials
import SiteData
import SiteRules

/// Answers from one state of the site data: a file, and the changes that may lie upon it. Used by one tap at a time.
final class TrustReader {
    /// The publication that the state is.
    let publication: TrustPublication
    let site: SiteContents
    /// What tells the file that lies below from others; nil: an older program made it.
    let file: [UInt8]?
    let whole: TrustTables
    let changes: TrustTables?

    /// Opens files that nobody changes any more. Reads a bounded part of them.
    /// - Parameters:
    ///   - changesPath: the changes upon the file; nil: there are none.
    ///   - other: another reader of the same state, so that what is kept in memory is shared.
    /// - Throws: `no-trust-data` where the changes lie upon another file.
    init(path: String, changesPath: String? = nil, like other: TrustReader?, fileSystem: String?) throws(StorageError) {
        whole = try TrustTables(path: path, fileSystem: fileSystem)
        file = whole.facts.file
        if let changesPath {
            let upon = try TrustTables(path: changesPath, fileSystem: fileSystem, touched: other?.changes?.touched)
            guard let base = upon.facts.base, base == whole.facts.file else { throw StorageError(.noSiteData, "The changes lie upon another file.") }
            changes = upon
        } else {
            changes = nil
        }
        let newest = changes ?? whole
        publication = newest.facts.publication
        site = if let other { other.site } else { try SiteContents(of: newest.connection) }
    }

    /// Whether changes lie upon the file.
    var hasChanges: Bool { changes != nil }

    func answer(_ question: TrustQuestion) throws(StorageError) -> TrustAnswer {
        TrustAnswer(
            issuer: question.issuer.flatMap { site.issuers[$0] }, isRevoked: try containsAny(question.revocations),
            enrolled: try candidates(question.enrolled), card: try question.card.flatMap(card),
            groups: try question.subject.map(groups) ?? [], generation: publication.generation,
            publicationIssuedAt: publication.issuedAt)
    }

    /// The credentials of the gates, as phones get them.
    func gateCredentials() throws(StorageError) -> [[UInt8]] { try (changes ?? whole).gateCredentials() }

    /// The groups of a subject, one more at the most than anybody may be in, so that it shows; no look-up where no rule asks for them.
    private func groups(of subject: String) throws(StorageError) -> [String] {
        guard site.rules.needGroups else { return [] }
        let person = PersonDigest(subject: subject), most = Membership.mostOfOne + 1
        guard let changes else { return try whole.groups(of: person, most: most, under: nil) }
        let added = try changes.groups(of: person, most: most, under: nil)
        return added + (try whole.groups(of: person, most: most - added.count, under: changes))
    }

    private func candidates(_ lookup: TrustQuestion.EnrolledLookup) throws(StorageError) -> [TrustAnswer.EnrolledCandidate] {
        if case .none = lookup { return [] }
        let most = TrustQuestion.mostCandidates
        let put = try changes?.keys(lookup, most: most, under: nil) ?? []
        let below = Self.isAnswered(lookup, by: put) ? [] : try whole.keys(lookup, most: most - put.count, under: changes)
        var found: [TrustAnswer.EnrolledCandidate] = []
        for row in put { found.append(try candidate(row, inWhole: false)) }
        for row in below { found.append(try candidate(row, inWhole: true)) }
        return found
    }

    /// Whether the changes have all that there is, so that nobody need look below: a thumbprint names one key, and of a `kid` the
    /// builder has looked.
    private static func isAnswered(_ lookup: TrustQuestion.EnrolledLookup, by put: [TrustTables.Key]) -> Bool {
        guard let first = put.first else { return false }
        if case .thumbprint = lookup { return true }
        return !first.sharesBelow
    }

    private func candidate(_ row: TrustTables.Key, inWhole: Bool) throws(StorageError) -> TrustAnswer.EnrolledCandidate {
        TrustAnswer.EnrolledCandidate(
            key: row.key, isRevoked: try isRevoked(row, inWhole: inWhole), groups: try groups(of: row.key.subject), thumbprint: row.thumbprint)
    }

    /// What was worked out for a key of the changes when they were finished holds for both files; the site may have revoked it besides.
    private func isRevoked(_ row: TrustTables.Key, inWhole: Bool) throws(StorageError) -> Bool {
        guard let changes, !inWhole, changes.facts.statesRevoked else {
            return try isRevoked(row.isRevoked, row.key.revocations(thumbprint: row.thumbprint), inWhole: inWhole)
        }
        return row.isRevoked || isRevokedBySite(row.key.revocations(thumbprint: row.thumbprint).map { RevocationRow($0) })
    }

    /// The card of that number, if it is on the list.
    private func card(_ number: UIDOnlyCardNumber) throws(StorageError) -> TrustAnswer.CardCandidate? {
        guard let row = try row(of: number) else { return nil }
        return TrustAnswer.CardCandidate(
            card: row.card, isRevoked: try isRevoked(row.isRevoked, row.card.revocations, inWhole: false), groups: try groups(of: row.card.subject))
    }

    private func row(of number: UIDOnlyCardNumber) throws(StorageError) -> TrustTables.Card? {
        if let changes {
            if let card = try changes.card(number) { return card }
            if try changes.isGone(RecordKey.Kind.uidOnlyCard, number.bytes) { return nil }
        }
        return try whole.card(number)
    }

    /// What was worked out when the row was entered counts as long as nothing has changed since. That it was not revoked then says
    /// that only the changes, and the site, can have revoked it.
    private func isRevoked(_ stated: Bool, _ revocations: @autoclosure () -> [Revocation], inWhole: Bool) throws(StorageError) -> Bool {
        guard let changes else { return stated }
        guard inWhole, !stated else { return try containsAny(revocations()) }
        let rows = revocations().map { RevocationRow($0) }
        return isRevokedBySite(rows) ? true : try changes.containsAny(rows)
    }

    /// Whether nothing of any kind is revoked, so that nothing need be looked up.
    private var hasNoRevocations: Bool {
        site.revocations.isEmpty && whole.facts.revocationKinds | (changes?.facts.revocationKinds ?? 0) == 0
    }

    func isRevokedBySite(_ rows: @autoclosure () -> [RevocationRow]) -> Bool {
        !site.revocations.isEmpty && rows().contains { site.revocations.contains($0.key) }
    }

    /// Whether any of them is in force.
    private func containsAny(_ asked: [Revocation]) throws(StorageError) -> Bool {
        if asked.isEmpty || hasNoRevocations { return false }
        let rows = asked.map { RevocationRow($0) }
        if isRevokedBySite(rows) { return true }
        guard let changes else { return try whole.containsAny(rows) }
        if try changes.containsAny(rows) { return true }
        // One question for all, for most people are revoked nowhere.
        guard try whole.containsAny(rows) else { return false }
        for row in rows {
            if try whole.containsAny([row]), try !changes.isGone(RecordKey.Kind.revocation, row.key) { return true }
        }
        return false
    }
}
