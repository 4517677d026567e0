import Credentials
import Cryptography
import Storage

/// One key of gates as the database has it.
struct GateKeyRow: Sendable {
    let name: String
    let generation: Int
    let use: KeyUse
    /// Its CCS.
    let claims: [UInt8]
    /// UNIX seconds.
    let madeAt: Int64
    /// Whether it was made because the one before it could not be trusted any more.
    let isEmergency: Bool
    /// UNIX seconds; nil while phones are given it.
    let droppedAt: Int64?

    init(name: String, generation: Int, use: KeyUse, claims: [UInt8], madeAt: Int64, isEmergency: Bool, droppedAt: Int64? = nil) {
        self.name = name
        self.generation = generation
        self.use = use
        self.claims = claims
        self.madeAt = madeAt
        self.isEmergency = isEmergency
        self.droppedAt = droppedAt
    }

    /// The key in the CCS.
    var key: PublicKey {
        get throws(AuthorityError) {
            guard let credential = try? ConfirmedKeyCredential(parsing: claims) else { throw .damaged }
            return credential.key.key
        }
    }
}

extension AuthorityDatabase {
    /// The keys of a group of gates, or of all, oldest first, dropped ones too.
    func gateKeys(of name: String? = nil) throws(AuthorityError) -> [GateKeyRow] {
        let query = try prepare("""
            SELECT name, generation, use, claims, made_at, is_emergency, dropped_at FROM gate_key
            WHERE ?1 IS NULL OR name = ?1 ORDER BY rowid
            """)
        query.bind(name, at: 1)
        defer { query.reset() }
        var rows: [GateKeyRow] = []
        while try query.next() {
            guard let name = query.writtenName(0), let use = query.writtenText(2).flatMap(KeyUse.init(rawValue:)),
                  let claims = query.writtenBytes(3), case .credential? = GateListEntry(parsing: claims) else {
                throw .damaged("a key of the gates '\(query.text(0))' is none")
            }
            rows.append(GateKeyRow(name: name, generation: Int(query.integer(1)), use: use, claims: claims,
                                   madeAt: query.integer(4), isEmergency: query.integer(5) == 1, droppedAt: query.optionalInteger(6)))
        }
        return rows
    }

    func add(_ key: GateKeyRow) throws(AuthorityError) {
        let insert = try prepare("""
            INSERT INTO gate_key (name, generation, use, claims, made_at, is_emergency) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """)
        insert.bind(key.name, at: 1)
        insert.bind(Int64(key.generation), at: 2)
        insert.bind(key.use.rawValue, at: 3)
        insert.bind(key.claims, at: 4)
        insert.bind(key.madeAt, at: 5)
        insert.bind(key.isEmergency ? 1 : 0, at: 6)
        try insert.finish()
    }

    func dropGateKeys(of name: String, generation: Int, now: Int64) throws(AuthorityError) {
        let update = try prepare("UPDATE gate_key SET dropped_at = ?3 WHERE name = ?1 AND generation = ?2 AND dropped_at IS NULL")
        update.bind(name, at: 1)
        update.bind(Int64(generation), at: 2)
        update.bind(now, at: 3)
        try update.finish()
    }

    /// Which phones were given something before `time`, and for how long it counts. What was revoked opens nothing, so
    /// that nobody waits for its end.
    func handover(since time: Int64, issuerSince: Int64, now: Int64) throws(AuthorityError) -> GateHandover {
        let last = try number("SELECT max(expires_at) FROM (\(Self.given)) WHERE since <= ?1", time)
        let withoutEnd = try number("SELECT count(*) FROM (\(Self.given)) WHERE since <= ?1 AND expires_at IS NULL", time)
        let withoutIssuer = try number("""
            SELECT count(*) FROM (\(Self.given)) WHERE since < ?1 AND (expires_at IS NULL OR expires_at > ?2)
            """, issuerSince, now)
        return GateHandover(safeFrom: max(last, now), withoutEnd: Int(withoutEnd), withoutIssuer: Int(withoutIssuer))
    }

    /// Tokens and enrolled keys that were not taken back.
    private static let given = """
        SELECT expires_at, issued_at AS since FROM token AS given WHERE \(isNotRevoked(1, "identifier"))
            AND \(isNotRevoked(2, "cti", issuer: "given.issuer"))
            AND \(isNotRevoked(3, "subject")) AND \(isNotRevoked(4, "thumbprint"))
        UNION ALL SELECT expires_at, enrolled_at FROM enrolled AS given
            WHERE \(isNotRevoked(3, "subject")) AND \(isNotRevoked(4, "thumbprint"))
        """

    /// By the kinds of `RevocationRow`, each by the table's key.
    static func isNotRevoked(_ kind: Int, _ column: String, issuer: String = "''") -> String {
        """
        NOT EXISTS (SELECT 1 FROM revocation AS taken WHERE taken.kind = \(kind)
            AND taken.value = CAST(given.\(column) AS BLOB) AND taken.issuer = \(issuer))
        """
    }

    /// One number; 0 for none.
    private func number(_ sql: String, _ values: Int64...) throws(AuthorityError) -> Int64 {
        let query = try prepare(sql)
        for (index, value) in values.enumerated() { query.bind(value, at: Int32(index + 1)) }
        defer { query.reset() }
        return try query.next() ? query.integer(0) : 0
    }
}

/// What there is to know before gates leave their old keys: which phones would stay outside.
public struct GateHandover: Hashable, Sendable {
    /// From then on nobody holds a token, or an enrolled key with an end, who got it before the new keys were there:
    /// the earliest date at which gates may use them alone. UNIX seconds.
    public let safeFrom: Int64
    /// Enrolled keys without an end that are older than the new keys. Their phones never come for anything, so that
    /// somebody has to bring them the new file.
    public let withoutEnd: Int
    /// Tokens and enrolled keys in use that are older than the gate issuer: their phones do not believe a credential
    /// by value either.
    public let withoutIssuer: Int
}
