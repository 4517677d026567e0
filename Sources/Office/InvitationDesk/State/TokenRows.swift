import Credentials
import Invitations
import Storage

/// Tokens that were issued, and nonces that were used.
extension DeskDatabase {
    private static let columns = "SELECT bytes, not_before, expires_at, issued_at FROM token"

    func add(_ token: Token, of invitation: Int64, now: Int64) throws(StorageError) {
        let sql = """
            INSERT INTO token (identifier, cti, invitation, not_before, expires_at, issued_at, bytes) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """
        try run(sql, [
            .bytes(token.identifier.bytes), .bytes(token.identifierClaim), .number(invitation), .number(token.notBefore),
            .number(token.expiresAt), .number(now), .bytes(token.raw)
        ])
    }

    /// Those that count still, the newest first.
    func tokens(of invitation: Int64, now: Int64) throws(StorageError) -> [KeptToken] {
        let sql = "\(Self.columns) WHERE invitation = ?1 AND is_taken_back = 0 AND expires_at > ?2 ORDER BY id DESC LIMIT 100"
        return try all(sql, [.number(invitation), .number(now)]) { KeptToken($0) }
    }

    /// Takes back all of an invitation that have not ended.
    func revokeTokens(of invitation: Int64, now: Int64) throws(StorageError) {
        try run("UPDATE token SET is_taken_back = 1 WHERE invitation = ?1 AND expires_at > ?2", [.number(invitation), .number(now)])
    }

    /// What was revoked and has not ended, what ends last first; at most one more than the office takes.
    func revokedEntries(now: Int64) throws(StorageError) -> [RevokedQueue.Entry] {
        let sql = "SELECT cti, expires_at FROM token WHERE is_taken_back = 1 AND expires_at > ?1 ORDER BY expires_at DESC, id LIMIT ?2"
        return try all(sql, [.number(now), .number(Int64(RevokedQueue.mostEntries + 1))]) { row in
            row.writtenBytes(0).map { RevokedQueue.Entry(cti: $0, until: row.integer(1)) }
        }
    }

    /// Forgets tokens that ended long ago, a few at a time, whenever one is added.
    func forgetOldTokens(now: Int64) throws(StorageError) {
        let sql = "DELETE FROM token WHERE id IN (SELECT id FROM token WHERE expires_at < ?1 ORDER BY expires_at LIMIT 8)"
        try run(sql, [.number(now - Self.tokensKept)])
    }

    /// Thirty days: an operator who asks who had what last month gets an answer.
    private static let tokensKept: Int64 = 30 * 86_400

    func isUsed(_ nonce: [UInt8]) throws(StorageError) -> Bool {
        try first("SELECT 1 FROM nonce WHERE value = ?1", [.bytes(nonce)]) { $0.integer(0) } != nil
    }

    /// Remembers that a nonce was used, and forgets some that nobody can use any more.
    func spend(_ nonce: UsedNonce, now: Int64) throws(StorageError) {
        try run("INSERT OR IGNORE INTO nonce (value, made_at) VALUES (?1, ?2)", [.bytes(nonce.name), .number(nonce.madeAt)])
        let sql = "DELETE FROM nonce WHERE value IN (SELECT value FROM nonce WHERE made_at < ?1 ORDER BY made_at LIMIT 8)"
        try run(sql, [.number(now - Self.noncesKept)])
    }

    /// Twelve times as long as they are good, for clocks that are put back.
    private static let noncesKept = 12 * ServerNonce.lifetime
}

/// A token as it was answered.
struct KeptToken {
    let bytes: [UInt8]
    let notBefore: Int64
    let expires: Int64
    let issuedAt: Int64

    init(_ token: Token, now: Int64) {
        (bytes, notBefore, expires, issuedAt) = (token.raw, token.notBefore, token.expiresAt, now)
    }

    fileprivate init?(_ row: SQLiteStatement) {
        guard let bytes = row.writtenBytes(0) else { return nil }
        (self.bytes, notBefore, expires, issuedAt) = (bytes, row.integer(1), row.integer(2), row.integer(3))
    }
}
