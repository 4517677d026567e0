import Credentials
import Cryptography
import Encoding
import SiteData
import SiteRules

/// One file of site data with its statements: the whole, or the changes upon it.
final class TrustTables {
    /// What two of these for each file hold in memory; what they do not hold is in the system's page cache.
    private static let cacheKibibytes = 768

    let connection: SQLiteConnection
    let facts: TrustFileFacts
    /// Whether the file has a place for cards; one that could not be brought up to date yet has none.
    let hasCardTable: Bool
    /// Whether any of so many revocations is there: one statement for each count of them, for each has its price.
    private let revocations: [SQLiteStatement]
    private let byIdentifier: SQLiteStatement
    private let byThumbprint: SQLiteStatement
    /// Nil where the file knows of no cards.
    private let byCardNumber: SQLiteStatement?
    private let groupsOf: SQLiteStatement?
    /// Which rows of the whole count no more; nil where the file is no changes.
    private let gone: SQLiteStatement?
    /// What of it is worth a look; nil where the file is no changes.
    let touched: TouchedKeys?
    /// Most keys have the same scope and audiences: the last ones read are not decoded again.
    private var lastScope: (encoded: [UInt8], texts: [String]) = ([], [])
    private var lastAudiences: (encoded: [UInt8], texts: [String]) = ([], [])

    /// A row of an enrolled key.
    struct Key {
        let key: EnrolledKey
        let thumbprint: [UInt8]
        /// Whether a revocation of the same file concerns it.
        let isRevoked: Bool
        /// Whether the file below may have other keys of its `kid`.
        let sharesBelow: Bool
    }

    /// A row of a UID-only card.
    struct Card {
        let card: UIDOnlyCard
        let isRevoked: Bool
    }

    /// Opens a file that nobody changes any more.
    /// - Parameter touched: what another connection to the same changes has read already.
    init(path: String, fileSystem: String?, touched other: TouchedKeys? = nil) throws(StorageError) {
        connection = try SQLiteConnection(path: path, access: .immutable, fileSystem: fileSystem, cacheKibibytes: Self.cacheKibibytes)
        // One transaction for as long as the file is open: otherwise each question begins one of its own and looks whether the
        // file has changed, which this one never does.
        try connection.execute("BEGIN")
        facts = try TrustFileFacts(of: connection)
        revocations = try Self.questions(about: Self.mostRevocations, connection)
        let schema = try connection.integer("PRAGMA user_version")
        let attested = schema < 3 ? "0" : "user_verification"
        let revoked = schema < 4 ? DatabaseSchema.keyIsRevoked : "CASE WHEN revoked IS NULL THEN \(DatabaseSchema.keyIsRevoked) ELSE revoked END"
        let columns = """
            SELECT kid, use, curve, x, y, subject, scope, audiences, not_before, expires_at, thumbprint, \(attested),
            \(revoked), \(schema < 10 ? "1" : "kid_below") FROM enrolled
            """
        byIdentifier = try connection.prepare("\(columns) WHERE kid = ?1 ORDER BY id")
        byThumbprint = try connection.prepare("\(columns) WHERE print = ?1 AND thumbprint = ?2")
        hasCardTable = schema >= 5
        let hasCards = facts.publication.counts.uidOnlyCards > 0 || facts.base != nil
        byCardNumber = hasCardTable && hasCards ? try connection.prepare(
            "SELECT subject, audiences, not_before, expires_at, revoked FROM plain_card WHERE uid = ?1") : nil
        groupsOf = schema < 4 ? nil : try connection.prepare("SELECT member_of FROM membership WHERE person = ?1")
        gone = facts.base == nil ? nil : try connection.prepare("SELECT 1 FROM gone WHERE kind = ?1 AND value = ?2")
        if let other { touched = other } else { touched = facts.base == nil ? nil : try TouchedKeys(of: connection) }
    }

    private func mayHave(_ kind: UInt64, _ bytes: @autoclosure () -> [UInt8]) -> Bool { touched.map { $0.mayHave(kind, bytes()) } ?? true }

    // Revocations --------------------------------------------------------------------------------

    /// The most revocations of one question: those of a token.
    private static let mostRevocations = 6

    private static func questions(about most: Int, _ connection: SQLiteConnection) throws(StorageError) -> [SQLiteStatement] {
        var questions: [SQLiteStatement] = []
        for count in 1...most {
            let parts = (0..<count).map { "EXISTS (SELECT 1 FROM revocation WHERE kind = ?\(2 * $0 + 1) AND value = ?\(2 * $0 + 2))" }
            questions.append(try connection.prepare("SELECT \(parts.joined(separator: " OR "))"))
        }
        return questions
    }

    /// Whether any of them is in this file.
    func containsAny(_ asked: [RevocationRow]) throws(StorageError) -> Bool {
        // Kinds of which the file has none need no look.
        var rows = asked.filter { facts.revocationKinds & $0.bit != 0 && touched?.mayHave($0) ?? true }
        while !rows.isEmpty {
            let some = rows.prefix(Self.mostRevocations)
            let question = revocations[some.count - 1]
            for (place, row) in some.enumerated() {
                question.bind(row.kind, at: Int32(2 * place + 1))
                question.bind(row.value, at: Int32(2 * place + 2))
            }
            defer { question.reset() }
            if try question.step(), question.integer(0) != 0 { return true }
            rows.removeFirst(some.count)
        }
        return false
    }

    /// Whether a row of the whole counts no more by these changes.
    func isGone(_ kind: UInt64, _ value: [UInt8]) throws(StorageError) -> Bool {
        guard let gone, mayHave(kind, value) else { return false }
        defer { gone.reset() }
        gone.bind(Int64(kind), at: 1)
        gone.bind(value, at: 2)
        return try gone.step()
    }

    // People -------------------------------------------------------------------------------------

    /// The enrolled keys asked for.
    /// - Parameters:
    ///   - most: so many at most.
    ///   - changes: what lies upon this file; keys that it names are passed over.
    func keys(_ lookup: TrustQuestion.EnrolledLookup, most: Int, under changes: TrustTables?) throws(StorageError) -> [Key] {
        switch lookup {
        case .none:
            return []
        case .keyIdentifier(let identifier):
            guard mayHave(TouchedKeys.keyIdentifier, identifier) else { return [] }
            byIdentifier.bind(identifier, at: 1)
            return try keys(of: byIdentifier, most: most, under: changes)
        case .thumbprint(let thumbprint):
            guard mayHave(RecordKey.Kind.enrolled, thumbprint) else { return [] }
            byThumbprint.bind(Self.prefix(of: thumbprint), at: 1)
            byThumbprint.bind(thumbprint, at: 2)
            return try keys(of: byThumbprint, most: most, under: changes)
        }
    }

    private func keys(of statement: SQLiteStatement, most: Int, under changes: TrustTables?) throws(StorageError) -> [Key] {
        defer { statement.reset() }
        var found: [Key] = []
        while found.count < most, try statement.step() {
            // It was computed when the key was entered.
            let thumbprint = statement.bytes(10)
            if let changes, try changes.isGone(RecordKey.Kind.enrolled, thumbprint) { continue }
            found.append(Key(key: try enrolledKey(statement), thumbprint: thumbprint, isRevoked: statement.integer(12) != 0,
                             sharesBelow: statement.integer(13) != 0))
        }
        return found
    }

    /// The card of that number, if it is in this file.
    func card(_ number: UIDOnlyCardNumber) throws(StorageError) -> Card? {
        guard let byCardNumber, mayHave(RecordKey.Kind.uidOnlyCard, number.bytes) else { return nil }
        defer { byCardNumber.reset() }
        byCardNumber.bind(number.bytes, at: 1)
        guard try byCardNumber.step() else { return nil }
        let card = UIDOnlyCard(
            number: number, subject: byCardNumber.text(0), audiences: try Self.texts(byCardNumber.bytes(1), &lastAudiences),
            notBefore: byCardNumber.optionalInteger(2), expiresAt: byCardNumber.optionalInteger(3))
        return Card(card: card, isRevoked: byCardNumber.integer(4) != 0)
    }

    /// The groups of a person: one look-up by an index.
    func groups(of person: PersonDigest, most: Int, under changes: TrustTables?) throws(StorageError) -> [String] {
        guard let groupsOf, mayHave(RecordKey.Kind.membership, person.bytes) else { return [] }
        defer { groupsOf.reset() }
        groupsOf.bind(person.bytes, at: 1)
        var groups: [String] = []
        while groups.count < most, try groupsOf.step() {
            let group = groupsOf.text(0)
            if let changes, try changes.isGone(RecordKey.Kind.membership, person.bytes + Array(group.utf8)) { continue }
            groups.append(group)
        }
        return groups
    }

    private func enrolledKey(_ row: SQLiteStatement) throws(StorageError) -> EnrolledKey {
        guard let use = KeyUse(stored: row.integer(1)), let curve = Curve(rawValue: Int(row.integer(2))),
              let key = try? PublicKey(curve: curve, x: row.bytes(3), y: row.optionalBytes(4), isForUse: true)
        else { throw StorageError(.corrupt, "An enrolled key is damaged.") }
        return EnrolledKey(
            keyIdentifier: row.bytes(0), key: key, use: use, subject: row.text(5),
            scope: try Self.texts(row.bytes(6), &lastScope), audiences: try Self.texts(row.bytes(7), &lastAudiences),
            notBefore: row.optionalInteger(8), expiresAt: row.optionalInteger(9), userVerification: row.integer(11) == 1)
    }

    private static func texts(
        _ encoded: [UInt8], _ last: inout (encoded: [UInt8], texts: [String])
    ) throws(StorageError) -> [String] {
        if encoded == last.encoded { return last.texts }
        // A text that is left out would make more of the rights.
        guard let items = try? CBOR.decodeSequence(encoded), case let texts = items.compactMap(\.text), texts.count == items.count else {
            throw StorageError(.corrupt, "The scope of an enrolled key is damaged.")
        }
        last = (encoded, texts)
        return last.texts
    }

    /// The credentials of the gates, as phones get them.
    func gateCredentials() throws(StorageError) -> [[UInt8]] {
        let rows = try connection.prepare("SELECT raw FROM gate_credential ORDER BY id")
        var raw: [[UInt8]] = []
        while try rows.step() { raw.append(rows.bytes(0)) }
        return raw
    }

    /// The first 8 bytes of a thumbprint, by which it is indexed.
    static func prefix(of thumbprint: [UInt8]) -> Int64 {
        Int64(bitPattern: thumbprint.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}

extension KeyUse {
    /// As written into the database: never renumbered.
    init?(stored number: Int64) {
        switch number {
        case 1: self = .sign
        case 2: self = .agree
        default: return nil
        }
    }

    var stored: Int64 {
        switch self {
        case .sign: 1
        case .agree: 2
        }
    }
}
