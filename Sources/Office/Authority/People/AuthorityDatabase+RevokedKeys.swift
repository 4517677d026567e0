import Credentials
import Storage
import TrustSync

/// Enrolled keys that were taken back stay on the list, so that office and gates can say whose they were.
extension AuthorityDatabase {
    /// Takes keys that count no more off the list where they have more than people may be given: gates would refuse the whole list for them.
    /// - Returns: how many.
    func forgetRevokedKeys(above ceiling: Ceiling, now: Int64) throws(AuthorityError) -> Int {
        var above: [EnrolledKey] = []
        let query = try prepare("""
            SELECT \(EnrolledKey.columns) FROM enrolled WHERE thumbprint IN
                (SELECT value FROM revocation WHERE kind = 4 UNION SELECT value FROM site_revocation WHERE kind = 4)
            """)
        defer { query.reset() }
        while try query.next() {
            let key = try EnrolledKey(row: query)
            if (try? ceiling.check(.enrolled(key), issuedAt: now)) == nil { above.append(key) }
        }
        let rows = try EnrolledRows(self, otherRoles: [])
        try transaction { () throws(AuthorityError) in for key in above { try rows.remove(key) } }
        return above.count
    }

    /// Who had what was taken back, as far as enrolled keys and tokens say.
    func holdersOfRevoked() throws(AuthorityError) -> [Revocation: Set<String>] {
        let query = try prepare("""
            SELECT r.kind, r.value, r.issuer, e.subject FROM revocation r JOIN enrolled e ON r.kind = 4 AND e.thumbprint = r.value UNION ALL
            SELECT r.kind, r.value, r.issuer, t.subject FROM token t CROSS JOIN revocation r ON r.kind = 4 AND r.value = t.thumbprint AND r.issuer = '' UNION ALL
            SELECT r.kind, r.value, r.issuer, t.subject FROM revocation r JOIN token t ON r.kind = 1 AND t.identifier = r.value UNION ALL
            SELECT r.kind, r.value, r.issuer, t.subject FROM revocation r JOIN token t ON r.kind = 2 AND t.issuer = r.issuer AND t.cti = r.value
            """)
        defer { query.reset() }
        var holders: [Revocation: Set<String>] = [:]
        while try query.next() {
            guard let revocation = RevocationRow(query, at: 0).revocation else { throw .damaged }
            holders[revocation, default: []].insert(query.text(3))
        }
        return holders
    }
}
