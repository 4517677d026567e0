import Encoding
import SiteData

/// What a file of site data says of itself: its one row of `publication`.
struct TrustFileFacts {
    let publication: TrustPublication
    /// The kinds of revocations that occur in it, as bits: others need no look.
    let revocationKinds: Int64
    /// Tells the file from all others; nil: an older program made it.
    var file: [UInt8]?
    /// Of changes: the file they lie upon.
    var base: [UInt8]?
    /// Of changes: whether their keys say who is revoked by either file; false: an older program made them.
    var statesRevoked = false

    /// Writes the row.
    /// - Parameter sum: what the rows of people come to, where they are those of a repository.
    func write(to connection: SQLiteConnection, sum: KeptSum?) throws(StorageError) {
        let row = try connection.prepare("""
            INSERT OR REPLACE INTO publication (id, site, version, issued_at, expires_at, body_hash, generation, issuers, gate_credentials, enrolled,
                revocations, revocation_kinds, applied_at, origin, rules, memberships, plain_cards, epoch, site_hash, ceiling, state_sum, file, base,
                zone_sums, forked_from, states_revoked)
            VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25)
            """)
        row.bind(publication.site, at: 1)
        row.bind(Int64(clamping: publication.version), at: 2)
        row.bind(publication.issuedAt, at: 3)
        row.bind(publication.expiresAt, at: 4)
        row.bind(publication.bodyHash, at: 5)
        row.bind(Int64(clamping: publication.generation), at: 6)
        row.bind(Int64(clamping: publication.counts.issuers), at: 7)
        row.bind(Int64(clamping: publication.counts.gateCredentials), at: 8)
        row.bind(Int64(clamping: publication.counts.enrolled), at: 9)
        row.bind(Int64(clamping: publication.counts.revocations), at: 10)
        row.bind(revocationKinds, at: 11)
        row.bind(publication.appliedAt, at: 12)
        row.bind(publication.origin.rawValue, at: 13)
        row.bind(Int64(clamping: publication.counts.rules), at: 14)
        row.bind(Int64(clamping: publication.counts.memberships), at: 15)
        row.bind(Int64(clamping: publication.counts.uidOnlyCards), at: 16)
        row.bind(publication.repository.map { Int64(clamping: $0.epoch) }, at: 17)
        row.bind(publication.repository?.siteHash, at: 18)
        row.bind(publication.repository.map { PublicationRecord.ceiling($0.ceiling).encoded }, at: 19)
        row.bind(sum?.ofState?.bytes, at: 20)
        row.bind(file, at: 21)
        row.bind(base, at: 22)
        row.bind(sum?.ofZones?.encoded, at: 23)
        row.bind(publication.forkedFrom.map { Int64(clamping: $0) }, at: 24)
        row.bind(statesRevoked ? 1 : 0, at: 25)
        try row.run()
    }

    /// What tells a new file from all others.
    static func newFile() -> [UInt8] {
        var numbers = SystemRandomNumberGenerator()
        return (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &numbers) }
    }
}

extension TrustFileFacts {
    /// Reads the row.
    init(of connection: SQLiteConnection) throws(StorageError) {
        // A file that could not be brought up to date yet says everything but this.
        let schema = try connection.integer("PRAGMA user_version")
        let appliedAt = schema < 2 ? "NULL" : "applied_at"
        let rules = schema < 4 ? "0, 0, 0" : "origin, rules, memberships"
        let cards = schema < 5 ? "0" : "plain_cards"
        let repository = schema < 6 ? "NULL, NULL, NULL, NULL, NULL" : "epoch, site_hash, ceiling, file, base"
        let zones = schema < 7 ? "NULL" : "zone_sums"
        let fork = schema < 8 ? "NULL" : "forked_from"
        let revoked = schema < 9 ? "0" : "states_revoked"
        let row = try connection.prepare(
            """
            SELECT site, version, issued_at, expires_at, body_hash, generation, issuers, gate_credentials, enrolled,
            revocations, revocation_kinds, \(appliedAt), \(rules), \(cards), \(repository), \(zones), \(fork), \(revoked) FROM publication
            """)
        guard try row.step() else { throw StorageError(.corrupt, "The site data do not say what they are.") }
        // Milliseconds are made of it; what no publication can name is damage.
        guard (0...SitePublication.latestTime).contains(row.integer(2)) else {
            throw StorageError(.corrupt, "The site data name a time of issue that cannot be.")
        }
        guard let origin = SiteDataOrigin(rawValue: row.integer(12)) else {
            throw StorageError(.corrupt, "The site data come from nowhere that this program knows.")
        }
        publication = TrustPublication(
            site: row.text(0), version: UInt64(clamping: row.integer(1)), issuedAt: row.integer(2), expiresAt: row.integer(3),
            bodyHash: row.bytes(4), counts: Self.counts(row), generation: UInt64(clamping: row.integer(5)), appliedAt: row.optionalInteger(11),
            origin: origin, repository: try Self.repository(row), forkedFrom: row.optionalInteger(22).map { UInt64(clamping: $0) })
        revocationKinds = row.integer(10)
        file = row.optionalBytes(19)
        base = row.optionalBytes(20)
        statesRevoked = row.integer(23) != 0
    }

    private static func counts(_ row: SQLiteStatement) -> PublicationCounts {
        var counts = PublicationCounts()
        counts.issuers = UInt64(clamping: row.integer(6))
        counts.gateCredentials = UInt64(clamping: row.integer(7))
        counts.enrolled = UInt64(clamping: row.integer(8))
        counts.revocations = UInt64(clamping: row.integer(9))
        counts.rules = UInt64(clamping: row.integer(13))
        counts.memberships = UInt64(clamping: row.integer(14))
        counts.uidOnlyCards = UInt64(clamping: row.integer(15))
        return counts
    }

    private static func repository(_ row: SQLiteStatement) throws(StorageError) -> RepositoryFacts? {
        guard let epoch = row.optionalInteger(16) else { return nil }
        guard let ceiling = Ceiling(encoded: row.bytes(18)) else { throw StorageError(.corrupt, "The ceiling of the site data is damaged.") }
        var zones: Set<String>?
        if let encoded = row.optionalBytes(21) {
            guard let sums = ZoneSums(site: row.text(0), encoded: encoded) else { throw StorageError(.corrupt, "What the site data say of their zones is damaged.") }
            zones = sums.keptZones
        }
        return RepositoryFacts(epoch: UInt64(clamping: epoch), siteHash: row.bytes(17), ceiling: ceiling, zones: zones)
    }
}
