import Credentials
import Cryptography
import Encoding
import Invitations
import Storage

/// Invitations, and the keys that have them.
extension DeskDatabase {
    private static let columns = """
        SELECT i.id, i.subject, i.places, i.not_before, i.expires_at, i.user_verified, i.opens_until, i.note, i.made_by, i.made_at, i.state,
            a.thumbprint, a.redeemed_at, a.user_verified, i.code_hash
        FROM invitation i LEFT JOIN access a ON a.invitation = i.id
        """

    /// The invitation of a code, by its hash.
    func invitation(codeHash: [UInt8]) throws(StorageError) -> Invitation? {
        let found = try first("\(Self.columns) WHERE i.code_hash = ?1", [.bytes(codeHash)]) { row -> (Invitation, [UInt8])? in
            Invitation(row).map { ($0, row.bytes(14)) }
        }
        guard let (invitation, hash) = found, ConstantTime.equal(hash, codeHash) else { return nil }
        return invitation
    }

    func invitation(_ id: Int64) throws(StorageError) -> Invitation? {
        try first("\(Self.columns) WHERE i.id = ?1", [.number(id)]) { Invitation($0) }
    }

    /// The invitation that a key has.
    func invitation(thumbprint: [UInt8]) throws(StorageError) -> Invitation? {
        try first("\(Self.columns) WHERE a.thumbprint = ?1 AND a.is_current = 1", [.bytes(thumbprint)]) { Invitation($0) }
    }

    func invitations(_ filter: InvitationFilter) throws(StorageError) -> [Invitation] {
        let sql = """
            \(Self.columns) WHERE (?1 IS NULL OR i.state = ?1) AND (?2 IS NULL OR i.subject = ?2) AND (?3 IS NULL OR i.id < ?3)
            ORDER BY i.id DESC LIMIT ?4
            """
        return try all(sql, [
            filter.state.map { .text($0.rawValue) } ?? .nothing, filter.subject.map { .text($0.composed) } ?? .nothing, DeskValue(filter.before),
            .number(Int64(max(0, filter.limit)))
        ]) { Invitation($0) }
    }

    /// Adds an invitation; answers its number.
    func add(_ wanted: NewInvitation, codeHash: [UInt8], opensUntil: Int64, by who: String, now: Int64) throws(StorageError) -> Int64 {
        let sql = """
            INSERT INTO invitation
                (code_hash, subject, places, not_before, expires_at, user_verified, opens_until, note, made_by, made_at, state)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 'open')
            """
        try run(sql, [
            .bytes(codeHash), .text(wanted.subject), .bytes(wanted.encodedPlaces), DeskValue(wanted.notBefore), .number(wanted.expires),
            DeskValue(wanted.userVerified), .number(opensUntil), .text(wanted.note), .text(who), .number(now)
        ])
        return try first("SELECT last_insert_rowid()", []) { $0.integer(0) } ?? 0
    }

    func set(_ state: InvitationState.Name, of id: Int64) throws(StorageError) {
        try run("UPDATE invitation SET state = ?1 WHERE id = ?2", [.text(state.rawValue), .number(id)])
    }

    /// Gives an invitation to a key, which must have none.
    func give(_ id: Int64, to key: PublicKey, userVerified: Bool, now: Int64) throws(StorageError) {
        let sql = "INSERT INTO access (invitation, thumbprint, key, user_verified, redeemed_at) VALUES (?1, ?2, ?3, ?4, ?5)"
        try run(sql, [
            .number(id), .bytes(key.thumbprint), .bytes(COSEKey(key: key, use: .sign).cbor.encoded), DeskValue(userVerified), .number(now)
        ])
    }

    /// From now on the key of that invitation may have another one.
    func release(_ id: Int64) throws(StorageError) { try run("UPDATE access SET is_current = 0 WHERE invitation = ?1", [.number(id)]) }
}

/// Which invitations to list, the newest first.
public struct InvitationFilter: Hashable, Sendable {
    /// In this state; nil: in any.
    public var state: InvitationState.Name?
    /// Of this person; nil: of anybody.
    public var subject: String?
    /// With smaller numbers than this, for the next part of a long list; nil: from the newest on.
    public var before: Int64?
    /// At most so many.
    public var limit: Int

    /// A filter; by default it lets a thousand through.
    public init(state: InvitationState.Name? = nil, subject: String? = nil, before: Int64? = nil, limit: Int = 1000) {
        (self.state, self.subject, self.before, self.limit) = (state, subject, before, limit)
    }
}

extension NewInvitation {
    /// As kept in the database: `[[audience], [command]]`.
    fileprivate var encodedPlaces: [UInt8] { CBOR.array([.array(audiences.map(CBOR.text)), .array(scope.map(CBOR.text))]).encoded }
}

extension Invitation {
    /// Nil if the database is damaged.
    fileprivate init?(_ row: SQLiteStatement) {
        guard let subject = row.writtenText(1), let lists = row.writtenBytes(2).flatMap({ try? CBOR.decode($0) })?.array, lists.count == 2,
              let audiences = lists[0].array?.compactMap(\.text), let scope = lists[1].array?.compactMap(\.text),
              let notBefore = row.writtenTime(3), let userVerified = row.writtenFlag(5), let note = row.writtenText(7),
              let madeBy = row.writtenText(8), let name = row.writtenText(10).flatMap(InvitationState.Name.init),
              let state = InvitationState(name, use: InvitationUse(row)) else { return nil }
        let opensUntil = row.integer(6), madeAt = row.integer(9)
        let wanted = NewInvitation(
            subject: subject, audiences: audiences, scope: scope, notBefore: notBefore, expires: row.integer(4), userVerified: userVerified,
            opensFor: opensUntil - madeAt, note: note)
        // Whatever was left out would make more of the rights.
        guard wanted.encodedPlaces == row.bytes(2) else { return nil }
        self.init(id: row.integer(0), wanted: wanted, opensUntil: opensUntil, madeBy: madeBy, madeAt: madeAt, state: state)
    }
}

extension InvitationUse {
    fileprivate init?(_ row: SQLiteStatement) {
        guard let thumbprint = row.writtenBytes(11), let userVerified = row.writtenFlag(13) else { return nil }
        self.init(thumbprint: thumbprint, at: row.integer(12), userVerified: userVerified)
    }
}

extension InvitationState {
    /// Nil if the database is damaged.
    fileprivate init?(_ name: Name, use: InvitationUse?) {
        switch (name, use) {
        case (.open, nil): self = .open
        case (.withdrawn, nil): self = .withdrawn
        case (.redeemed, let use?): self = .redeemed(use)
        case (.suspended, let use?): self = .suspended(use)
        case (.revoked, let use?): self = .revoked(use)
        case (.open, _?), (.withdrawn, _?), (.redeemed, nil), (.suspended, nil), (.revoked, nil): return nil
        }
    }
}
