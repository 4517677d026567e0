import Credentials
import Cryptography
import Encoding
import SiteData
import SiteRules

/// What is so little that it is kept in memory: who issues tokens, the site's rules, what it revoked offline. A key's preparation is shared by
/// its copies.
struct SiteContents {
    let issuers: [String: TokenIssuer]
    /// What the site decided about time and places.
    let rules: SiteRules
    /// What the site itself revoked, as the bytes of `RecordKey`s.
    let revocations: Set<[UInt8]>
    /// What people are to be shown: the texts by their language, by what they are for (A4).
    let messages: [String: [String: String]]

    /// Reads them from a file.
    init(of connection: SQLiteConnection) throws(StorageError) {
        let schema = try connection.integer("PRAGMA user_version")
        issuers = try Self.issuers(of: connection, ceiling: schema < 11 ? "NULL" : "ceiling")
        rules = schema < 4 ? SiteRules() : try Self.rules(of: connection)
        revocations = schema < 6 ? [] : try Self.revocations(of: connection)
        messages = schema < 6 ? [:] : try Self.messages(of: connection)
    }

    /// - Parameter column: where their ceilings stand.
    private static func issuers(of connection: SQLiteConnection, ceiling column: String) throws(StorageError) -> [String: TokenIssuer] {
        var issuers: [String: TokenIssuer] = [:]
        let rows = try connection.prepare("SELECT name, x, y, \(column) FROM issuer")
        while try rows.step() {
            guard let key = try? PublicKey(curve: .p256, x: rows.bytes(1), y: rows.optionalBytes(2)) else {
                throw StorageError(.corrupt, "The key of a token issuer is damaged.")
            }
            let ceiling = rows.optionalBytes(3).map { IssuerCeiling(encoded: $0) }
            // Without it the issuer would have none.
            if case .some(nil) = ceiling { throw StorageError(.corrupt, "The ceiling of a token issuer is damaged.") }
            issuers[rows.text(0)] = TokenIssuer(name: rows.text(0), key: key, ceiling: ceiling ?? nil)
        }
        return issuers
    }

    private static func rules(of connection: SQLiteConnection) throws(StorageError) -> SiteRules {
        let rows = try connection.prepare("SELECT record FROM rule ORDER BY id")
        var rules = SiteRules()
        while try rows.step() {
            guard let record = try? SiteRecord(cbor: CBOR.decode(rows.bytes(0))), (try? rules.append(record)) != nil else {
                throw StorageError(.corrupt, "A rule of the site is damaged.")
            }
        }
        return rules
    }

    private static func messages(of connection: SQLiteConnection) throws(StorageError) -> [String: [String: String]] {
        let rows = try connection.prepare("SELECT name, language, shown FROM word")
        var words: [String: [String: String]] = [:]
        while try rows.step() { words[rows.text(0), default: [:]][rows.text(1)] = rows.text(2) }
        return words
    }

    private static func revocations(of connection: SQLiteConnection) throws(StorageError) -> Set<[UInt8]> {
        let rows = try connection.prepare("SELECT kind, value FROM site_revocation")
        var revocations: Set<[UInt8]> = []
        while try rows.step() { revocations.insert([UInt8(truncatingIfNeeded: rows.integer(0))] + rows.bytes(1)) }
        return revocations
    }
}
