import SiteData
import SiteRules

/// Judges what may be published.
struct PublicationJudge {
    /// The most that people may be given, as gates will hold against it: what targets have signed.
    let ceiling: Ceiling
    /// What targets have not signed yet of the rules.
    let pending: PendingRules
    let now: Int64

    /// What of a record is too much.
    func excess(of record: PublicationRecord) -> CeilingExcess? {
        do throws(CeilingExcess) {
            try ceiling.check(record, issuedAt: now)
            return nil
        } catch {
            return error
        }
    }
}

extension Authority {
    /// What targets have signed decides what may be published now.
    /// - Parameter isAnyway: somebody has said that nothing waits for rules.
    func publicationJudge(isAnyway: Bool, now: Int64) throws(AuthorityError) -> PublicationJudge {
        PublicationJudge(ceiling: try signedCeiling(), pending: isAnyway ? PendingRules() : try pendingRules(), now: now)
    }

    /// The most that people may be given, as gates know it.
    func signedCeiling() throws(AuthorityError) -> Ceiling {
        guard let signed = try database.siteData() else { return try ceiling() }
        return SiteContents.ceiling(in: signed.bytes, site: site)
    }

    private func pendingRules() throws(AuthorityError) -> PendingRules {
        guard let bytes = try database.siteData()?.bytes else { return PendingRules() }
        return PendingRules(signed: SiteContents.records(in: bytes, site: site), kept: try rules())
    }

    private func rules() throws(AuthorityError) -> [SiteRecord] {
        var rules: [SiteRecord] = []
        try database.forEachRule { rules.append($0) }
        return rules
    }
}

extension AuthorityDatabase {
    /// The most that people may be given here, by which whatever is kept of them is judged, so that whoever gives more hears of it at once. Where there
    /// is a repository gates hold people to something though the rules say nothing of it; nil: to nothing.
    func entryCeiling() throws(AuthorityError) -> Ceiling? {
        if let ceiling = try ceiling() { return ceiling }
        return try repository() == nil ? nil : .standard
    }
}

extension Ceiling {
    /// Refuses what is too much.
    func refuse(_ record: PublicationRecord, now: Int64) throws(AuthorityError) {
        do throws(CeilingExcess) { try check(record, issuedAt: now) } catch { throw .repository(.ceiling(subject: record.subject, error)) }
    }
}
