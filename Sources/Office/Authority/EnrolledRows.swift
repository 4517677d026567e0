import Credentials
import Cryptography
import SiteData
import Storage

/// The statements about enrolled keys, prepared once for a million of them.
final class EnrolledRows {
    private let database: AuthorityDatabase
    private let find: SQLiteStatement
    private let insert: SQLiteStatement
    private let date: SQLiteStatement
    private let delete: SQLiteStatement
    private let revoked: SQLiteStatement

    private let otherRoles: Set<PublicKey>
    /// The most that people may be given.
    let ceiling: Ceiling?

    /// - Parameter otherRoles: keys that are no person's.
    init(_ database: AuthorityDatabase, otherRoles: Set<PublicKey>) throws(AuthorityError) {
        self.database = database
        self.otherRoles = otherRoles
        ceiling = try database.entryCeiling()
        find = try database.prepare("SELECT \(EnrolledKey.columns) FROM enrolled WHERE thumbprint = ?1")
        insert = try database.prepare("""
            INSERT INTO enrolled
                (thumbprint, kid, use, curve, x, y, subject, places, not_before, expires_at, enrolled_at, user_verification, state_version)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, \(AuthorityDatabase.nextState))
            ON CONFLICT (thumbprint) DO UPDATE SET kid = ?2, use = ?3, subject = ?7, places = ?8, not_before = ?9, expires_at = ?10,
                enrolled_at = ?11, user_verification = ?12, state_version = excluded.state_version
            """)
        date = try database.prepare("UPDATE enrolled SET enrolled_at = ?2 WHERE thumbprint = ?1")
        delete = try database.prepare("DELETE FROM enrolled WHERE thumbprint = ?1")
        revoked = try database.prepare("""
            SELECT kind FROM revocation WHERE issuer = '' AND (kind, value) IN (VALUES (4, ?1), (3, ?2)) UNION ALL
            SELECT kind FROM site_revocation WHERE issuer = '' AND (kind, value) IN (VALUES (4, ?1), (3, ?2))
            """)
    }

    /// Refuses a key that speaks for a gate, an issuer or the site.
    func refuseOtherRoles(_ key: EnrolledKey) throws(AuthorityError) {
        guard !otherRoles.contains(key.key) else { throw .notAPersons(thumbprint: key.key.thumbprint) }
    }

    /// Refuses what gates would refuse anyway, and what they would no longer refuse under another name.
    func refuseRevoked(_ key: EnrolledKey) throws(AuthorityError) {
        defer { revoked.reset() }
        let thumbprint = key.key.thumbprint
        revoked.bind(thumbprint, at: 1)
        revoked.bind(Array(key.subject.utf8), at: 2)
        guard try revoked.next() else { return try database.refuseHolders(ofKey: thumbprint, otherThan: key.subject) }
        throw revoked.integer(0) == 4 ? .keyRevoked(thumbprint: thumbprint) : .subjectRevoked(key.subject)
    }

    /// What is known of a key; nil if it is not enrolled.
    func known(_ key: PublicKey) throws(AuthorityError) -> EnrolledKey? {
        defer { find.reset() }
        find.bind(key.thumbprint, at: 1)
        return try find.next() ? EnrolledKey(row: find) : nil
    }

    /// Takes a key away. Gates know with the next publication.
    func remove(_ key: EnrolledKey) throws(AuthorityError) {
        try database.rememberTold(key)
        delete.bind(key.key.thumbprint, at: 1)
        try delete.finish()
        try database.leave(.enrolled(thumbprint: key.key.thumbprint))
    }

    /// Enters a key, in the place of what was known of it. One that is known like this already is not published again; it
    /// only has a new date, for its phone has come for what phones are given.
    func put(_ key: EnrolledKey, inPlaceOf known: EnrolledKey?, now: Int64) throws(AuthorityError) {
        if key == known {
            date.bind(key.key.thumbprint, at: 1)
            date.bind(now, at: 2)
            return try date.finish()
        }
        if let known { try database.rememberTold(known) }
        // It was gone, or held back.
        try database.comeBack(.enrolled(thumbprint: key.key.thumbprint))
        let rights = Rights(audiences: key.audiences, scope: key.scope)
        insert.bind(key.key.thumbprint, at: 1)
        insert.bind(key.keyIdentifier, at: 2)
        insert.bind(key.use.rawValue, at: 3)
        insert.bind(Int64(key.key.curve.rawValue), at: 4)
        insert.bind(key.key.x, at: 5)
        insert.bind(key.key.y, at: 6)
        insert.bind(key.subject, at: 7)
        insert.bind(rights.encodedPlaces, at: 8)
        insert.bind(key.notBefore, at: 9)
        insert.bind(key.expiresAt, at: 10)
        insert.bind(now, at: 11)
        insert.bind(key.userVerification ? 1 : 0, at: 12)
        try insert.finish()
    }
}
