import Credentials
import Cryptography
import Storage

/// Going through everything, one row at a time.
extension AuthorityDatabase {
    /// Enrolled keys in the order in which they came, each with the time at which it was enrolled.
    /// - Parameters:
    ///   - thumbprint: of the only key that is wanted; nil: all of them.
    ///   - rows: which of them.
    ///   - isInOrderOfKeys: by their thumbprints, as bundles have them. Those since a version come in any order: to sort a million takes memory.
    func forEachEnrolled(
        thumbprint: [UInt8]? = nil, _ rows: PeopleRows = .all, isInOrderOfKeys: Bool = false, _ body: (EnrolledKey, _ at: Int64) throws(AuthorityError) -> Void
    ) throws(AuthorityError) {
        let query = try prepare("""
            SELECT \(EnrolledKey.columns), enrolled_at FROM enrolled
            \(thumbprint != nil ? "WHERE thumbprint = ?1" : rows.clause(inOrderOf: isInOrderOfKeys ? "thumbprint" : "rowid"))
            """)
        defer { query.reset() }
        if let thumbprint { query.bind(thumbprint, at: 1) } else { query.bind(rows) }
        while try query.next() { try body(EnrolledKey(row: query), query.integer(11)) }
    }

    /// Revocations in the order in which they came, each with its time; those since a version in any order.
    func forEachRevocation(
        _ rows: PeopleRows = .all, _ body: (Revocation, _ at: Int64) throws(AuthorityError) -> Void
    ) throws(AuthorityError) {
        let query = try prepare("SELECT kind, value, issuer, revoked_at FROM revocation \(rows.clause(inOrderOf: "rowid"))")
        query.bind(rows)
        defer { query.reset() }
        while try query.next() {
            guard let revocation = RevocationRow(query, at: 0).revocation else { throw .damaged("a revocation is none") }
            try body(revocation, query.integer(3))
        }
    }

    func forEachToken(_ body: (IssuedToken) throws(AuthorityError) -> Void) throws(AuthorityError) {
        let query = try prepare("""
            SELECT identifier, issuer, cti, subject, thumbprint, not_before, expires_at, issued_at FROM token ORDER BY rowid
            """)
        defer { query.reset() }
        while try query.next() {
            guard let identifier = TokenIdentifier(query.bytes(0)) else { throw .damaged }
            try body(IssuedToken(identifier: identifier, issuer: query.text(1), cti: query.bytes(2), subject: query.text(3),
                                 thumbprint: query.bytes(4), notBefore: query.integer(5), expiresAt: query.integer(6),
                                 issuedAt: query.integer(7)))
        }
    }
}

extension AuthorityError {
    /// A row says what this program never wrote.
    static let damaged = AuthorityError.storage(StorageError(.corrupt, "The authority's database is damaged."))

    /// The same, and what it is.
    static func damaged(_ what: String) -> AuthorityError {
        .storage(StorageError(.corrupt, "The authority's database is damaged: \(what). Nothing was signed. Restore the last backup."))
    }
}

extension EnrolledKey {
    /// What a statement selects for `init(row:)`.
    static let columns = "kid, use, curve, x, y, subject, places, not_before, expires_at, user_verification, thumbprint"

    /// What is read is held to what is written, so that no flipped bit is signed.
    init(row: SQLiteStatement) throws(AuthorityError) {
        guard let kid = row.writtenBytes(0), (1...64).contains(kid.count), let use = row.writtenText(1).flatMap(KeyUse.init(rawValue:)),
              let curve = Curve(rawValue: Int(clamping: row.integer(2))), curve.fits(use), row.isNull(4) == (curve != .p256), let x = row.writtenBytes(3),
              let key = try? PublicKey(curve: curve, x: x, y: row.optionalBytes(4)), key.thumbprint == row.bytes(10),
              let subject = row.writtenName(5), let rights = Rights(row: row, at: 6),
              let userVerification = row.writtenFlag(9) else { throw .damaged("a key of '\(row.text(5))' is not as it was enrolled") }
        self.init(keyIdentifier: kid, key: key, use: use, subject: subject, scope: rights.scope, audiences: rights.audiences,
                  notBefore: rights.notBefore, expiresAt: rights.expiresAt, userVerification: userVerification)
    }
}

/// What the authority remembers of a token. Times are UNIX seconds.
public struct IssuedToken: Hashable, Sendable {
    /// What names it.
    public let identifier: TokenIdentifier
    /// `iss`.
    public let issuer: String
    /// `cti`.
    public let cti: [UInt8]
    /// `sub`.
    public let subject: String
    /// The thumbprint of the phone's key.
    public let thumbprint: [UInt8]
    /// `nbf`.
    public let notBefore: Int64
    /// `exp`.
    public let expiresAt: Int64
    /// When it was issued.
    public let issuedAt: Int64
}
