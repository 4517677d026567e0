import Cryptography
import Storage

/// Operators and their sessions.
extension DeskDatabase {
    func password(of name: String) throws(StorageError) -> PasswordHash? {
        try first("SELECT salt, hash FROM operator WHERE name = ?1", [.text(name)]) { PasswordHash(salt: $0.bytes(0), hash: $0.bytes(1)) }
    }

    func operators() throws(StorageError) -> [String] { try all("SELECT name FROM operator ORDER BY name", []) { $0.writtenText(0) } }

    /// Sets a password; whoever is signed in under the old one is out.
    func set(_ password: PasswordHash, of name: String, now: Int64) throws(StorageError) {
        try run("INSERT OR REPLACE INTO operator (name, salt, hash, changed_at) VALUES (?1, ?2, ?3, ?4)", [
            .text(name), .bytes(password.salt), .bytes(password.hash), .number(now)
        ])
        try run("DELETE FROM session WHERE operator = ?1", [.text(name)])
    }

    func remove(operator name: String) throws(StorageError) {
        try run("DELETE FROM operator WHERE name = ?1", [.text(name)])
        try run("DELETE FROM session WHERE operator = ?1", [.text(name)])
    }

    func addSession(_ hash: [UInt8], of name: String, expires: Int64, now: Int64) throws(StorageError) {
        try run("DELETE FROM session WHERE expires_at <= ?1", [.number(now)])
        try run("INSERT INTO session (hash, operator, expires_at) VALUES (?1, ?2, ?3)", [.bytes(hash), .text(name), .number(expires)])
    }

    func session(_ hash: [UInt8], now: Int64) throws(StorageError) -> (name: String, expires: Int64)? {
        try first("SELECT operator, expires_at FROM session WHERE hash = ?1 AND expires_at > ?2", [.bytes(hash), .number(now)]) { row in
            row.writtenText(0).map { ($0, row.integer(1)) }
        }
    }

    func endSession(_ hash: [UInt8]) throws(StorageError) { try run("DELETE FROM session WHERE hash = ?1", [.bytes(hash)]) }
}
