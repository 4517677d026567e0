import Storage
import TrustSync

/// What each zone came to in the state that was published last, and with which version it changed last: changes say of these zones what they
/// come to, so that a gate that keeps its own zones only can check what it has.
extension AuthorityDatabase {
    /// Whether there are sums of zones is not known of a state that an older program published.
    static let zoneStep = """
        CREATE TABLE people_zone (zone TEXT PRIMARY KEY, version INTEGER NOT NULL, sum BLOB NOT NULL) STRICT, WITHOUT ROWID;
        ALTER TABLE people_sum ADD COLUMN has_zones INTEGER;
        """

    /// The sums that were kept.
    func zoneSums(site: String) throws(AuthorityError) -> ZoneSums {
        let query = try prepare("SELECT zone, sum FROM people_zone")
        defer { query.reset() }
        var sums: [String: ZoneSum] = [:]
        while try query.next() {
            guard let sum = ZoneSum(encoded: query.bytes(1)) else { throw .damaged }
            sums[query.text(0)] = sum
        }
        return ZoneSums(site: site, sums: sums)
    }

    /// Keeps the sums of a state that is published now.
    /// - Parameter zones: nil: there are too many zones.
    func keep(_ zones: ZoneSums?, of version: Int64) throws(AuthorityError) {
        guard let zones else {
            try prepare("DELETE FROM people_zone").finish()
            return
        }
        let insert = try prepare("INSERT OR REPLACE INTO people_zone (zone, version, sum) VALUES (?1, ?2, ?3)")
        for zone in zones.zones(unlike: try zoneSums(site: zones.site)) {
            insert.bind(zone, at: 1)
            insert.bind(version, at: 2)
            insert.bind((zones.sums[zone] ?? ZoneSum()).encoded, at: 3)
            try insert.finish()
        }
    }

    /// The zones of which anything changed after a state, up to one that is not published yet.
    func zonesChanged(since version: Int64, upTo next: ZoneSums) throws(AuthorityError) -> Set<String> {
        var zones = next.zones(unlike: try zoneSums(site: next.site))
        let query = try prepare("SELECT zone FROM people_zone WHERE version > ?1")
        query.bind(version, at: 1)
        defer { query.reset() }
        while try query.next() { zones.insert(query.text(0)) }
        return zones
    }
}
