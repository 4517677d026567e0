import Credentials
import Cryptography
import Encoding
import SiteRules
import TrustSync

/// One connection to `trust.db` with its statements. Used by one tap at a time.
final class TrustReader {
    /// Two of these bound what a gate with a million keys holds in memory; what they do not hold is in the
    /// system's page cache.
    private static let cacheKibibytes = 768

    /// The publication the file holds.
    let publication: TrustPublication
    /// Few, and every token asks for one: kept in memory. A key's preparation is shared by its copies.
    let issuers: [String: TokenIssuer]
    /// What the site decided about time and places.
    let rules: SiteRules
    private let connection: SQLiteConnection
    /// Whether any of so many revocations is in force: one statement for each count of them, for each has its price.
    private let revocations: [SQLiteStatement]
    private let byIdentifier: SQLiteStatement
    private let byThumbprint: SQLiteStatement
    /// Nil where the file knows of no cards.
    private let byCardNumber: SQLiteStatement?
    /// Nil where no rule asks for groups.
    private let groupsOf: SQLiteStatement?
    private let revocationKinds: Int64
    /// Most keys have the same scope and audiences: the last ones read are not decoded again.
    private var lastScope: (encoded: [UInt8], texts: [String]) = ([], [])
    private var lastAudiences: (encoded: [UInt8], texts: [String]) = ([], [])

    /// Opens a file that nobody changes any more. Reads a bounded part of it.
    /// - Parameter other: another reader of the same file, so that issuers with their prepared keys and rules are shared.
    init(path: String, like other: TrustReader?, fileSystem: String?) throws(StorageError) {
        connection = try SQLiteConnection(
            path: path, access: .immutable, fileSystem: fileSystem, cacheKibibytes: Self.cacheKibibytes)
        // One transaction for as long as the file is open: otherwise each question begins one of its own and looks whether the
        // file has changed, which this one never does.
        try connection.execute("BEGIN")
        (publication, revocationKinds) = try Self.publication(of: connection)
        issuers = if let other { other.issuers } else { try Self.issuers(of: connection) }
        rules = if let other { other.rules } else { try Self.rules(of: connection) }
        revocations = try Self.questions(about: Self.mostRevocations, connection)
        let schema = try connection.integer("PRAGMA user_version")
        let attested = schema < 3 ? "0" : "user_verification"
        let revoked = schema < 4 ? DatabaseSchema.keyIsRevoked : "CASE WHEN revoked IS NULL THEN \(DatabaseSchema.keyIsRevoked) ELSE revoked END"
        let columns = """
            SELECT kid, use, curve, x, y, subject, scope, audiences, not_before, expires_at, thumbprint, \(attested),
            \(revoked) FROM enrolled
            """
        let most = TrustQuestion.mostCandidates
        byIdentifier = try connection.prepare("\(columns) WHERE kid = ?1 ORDER BY id LIMIT \(most)")
        byThumbprint = try connection.prepare("\(columns) WHERE print = ?1 AND thumbprint = ?2 LIMIT \(most)")
        byCardNumber = publication.counts.plainCards > 0 ? try connection.prepare(
            "SELECT subject, audiences, not_before, expires_at, revoked FROM plain_card WHERE uid = ?1") : nil
        groupsOf = rules.needGroups ? try connection.prepare("""
            SELECT member_of FROM membership WHERE person = ?1 LIMIT \(TrustQuestion.mostGroups)
            """) : nil
    }

    private static func publication(
        of connection: SQLiteConnection
    ) throws(StorageError) -> (TrustPublication, kinds: Int64) {
        // A file that could not be brought up to date yet says everything but this.
        let schema = try connection.integer("PRAGMA user_version")
        let appliedAt = schema < 2 ? "NULL" : "applied_at"
        let rules = schema < 4 ? "0, 0, 0" : "origin, rules, memberships"
        let cards = schema < 5 ? "0" : "plain_cards"
        let row = try connection.prepare(
            """
            SELECT site, version, issued_at, expires_at, body_hash, generation, issuers, gate_credentials, enrolled,
            revocations, revocation_kinds, \(appliedAt), \(rules), \(cards) FROM publication
            """)
        guard try row.step() else { throw StorageError(.corrupt, "The trust data do not say what they are.") }
        var counts = PublicationCounts()
        counts.issuers = UInt64(clamping: row.integer(6))
        counts.gateCredentials = UInt64(clamping: row.integer(7))
        counts.enrolled = UInt64(clamping: row.integer(8))
        counts.revocations = UInt64(clamping: row.integer(9))
        counts.rules = UInt64(clamping: row.integer(13))
        counts.memberships = UInt64(clamping: row.integer(14))
        counts.plainCards = UInt64(clamping: row.integer(15))
        // Milliseconds are made of it; what no publication can name is damage.
        guard (0...SitePublication.latestTime).contains(row.integer(2)) else {
            throw StorageError(.corrupt, "The trust data name a time of issue that cannot be.")
        }
        guard let origin = SiteDataOrigin(rawValue: row.integer(12)) else {
            throw StorageError(.corrupt, "The trust data come from nowhere that this program knows.")
        }
        let publication = TrustPublication(
            site: row.text(0), version: UInt64(clamping: row.integer(1)), issuedAt: row.integer(2),
            expiresAt: row.integer(3), bodyHash: row.bytes(4), counts: counts,
            generation: UInt64(clamping: row.integer(5)), appliedAt: row.optionalInteger(11), origin: origin)
        return (publication, row.integer(10))
    }

    private static func issuers(of connection: SQLiteConnection) throws(StorageError) -> [String: TokenIssuer] {
        var issuers: [String: TokenIssuer] = [:]
        let rows = try connection.prepare("SELECT name, x, y FROM issuer")
        while try rows.step() {
            guard let key = try? PublicKey(curve: .p256, x: rows.bytes(1), y: rows.optionalBytes(2)) else {
                throw StorageError(.corrupt, "The key of a token issuer is damaged.")
            }
            issuers[rows.text(0)] = TokenIssuer(name: rows.text(0), key: key)
        }
        return issuers
    }

    private static func rules(of connection: SQLiteConnection) throws(StorageError) -> SiteRules {
        guard try connection.integer("PRAGMA user_version") >= 4 else { return SiteRules() }
        let rows = try connection.prepare("SELECT record FROM rule ORDER BY id")
        var rules = SiteRules()
        while try rows.step() {
            guard let record = try? SiteRecord(cbor: CBOR.decode(rows.bytes(0))), (try? rules.append(record)) != nil else {
                throw StorageError(.corrupt, "A rule of the site is damaged.")
            }
        }
        return rules
    }

    // Questions ----------------------------------------------------------------------------------

    func answer(_ question: TrustQuestion) throws(StorageError) -> TrustAnswer {
        TrustAnswer(
            issuer: question.issuer.flatMap { issuers[$0] }, isRevoked: try containsAny(question.revocations),
            enrolled: try candidates(question.enrolled), card: try question.card.flatMap(card),
            groups: try question.subject.map(groups) ?? [], generation: publication.generation,
            publicationIssuedAt: publication.issuedAt)
    }

    /// The groups of a subject: one look-up by an index, and none where no rule asks for them.
    private func groups(of subject: String) throws(StorageError) -> [String] {
        guard let groupsOf else { return [] }
        defer { groupsOf.reset() }
        groupsOf.bind(PersonDigest(subject: subject).bytes, at: 1)
        var groups: [String] = []
        while try groupsOf.step() { groups.append(groupsOf.text(0)) }
        return groups
    }

    /// The most revocations of one question: those of a token.
    private static let mostRevocations = 5

    private static func questions(about most: Int, _ connection: SQLiteConnection) throws(StorageError) -> [SQLiteStatement] {
        var questions: [SQLiteStatement] = []
        for count in 1...most {
            let parts = (0..<count).map { "EXISTS (SELECT 1 FROM revocation WHERE kind = ?\(2 * $0 + 1) AND value = ?\(2 * $0 + 2))" }
            questions.append(try connection.prepare("SELECT \(parts.joined(separator: " OR "))"))
        }
        return questions
    }

    /// Whether any of them is in force.
    private func containsAny(_ asked: [Revocation]) throws(StorageError) -> Bool {
        // Kinds of which the publication has none need no look.
        var rows = asked.map { RevocationRow($0) }.filter { revocationKinds & $0.bit != 0 }
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

    private func candidates(
        _ lookup: TrustQuestion.EnrolledLookup
    ) throws(StorageError) -> [TrustAnswer.EnrolledCandidate] {
        switch lookup {
        case .none:
            return []
        case .keyIdentifier(let identifier):
            byIdentifier.bind(identifier, at: 1)
            return try candidates(of: byIdentifier)
        case .thumbprint(let thumbprint):
            byThumbprint.bind(TrustReader.prefix(of: thumbprint), at: 1)
            byThumbprint.bind(thumbprint, at: 2)
            return try candidates(of: byThumbprint)
        }
    }

    private func candidates(of statement: SQLiteStatement) throws(StorageError) -> [TrustAnswer.EnrolledCandidate] {
        defer { statement.reset() }
        var found: [TrustAnswer.EnrolledCandidate] = []
        while try statement.step() {
            let key = try enrolledKey(statement)
            // The thumbprint was computed when the publication was applied.
            found.append(TrustAnswer.EnrolledCandidate(
                key: key, isRevoked: statement.integer(12) != 0, groups: try groups(of: key.subject), thumbprint: statement.bytes(10)))
        }
        return found
    }

    /// The card of that number, if it is on the list.
    private func card(_ number: PlainCardNumber) throws(StorageError) -> TrustAnswer.CardCandidate? {
        guard let byCardNumber else { return nil }
        defer { byCardNumber.reset() }
        byCardNumber.bind(number.bytes, at: 1)
        guard try byCardNumber.step() else { return nil }
        let subject = byCardNumber.text(0)
        let card = PlainCard(
            number: number, subject: subject, audiences: try Self.texts(byCardNumber.bytes(1), &lastAudiences),
            notBefore: byCardNumber.optionalInteger(2), expiresAt: byCardNumber.optionalInteger(3))
        return TrustAnswer.CardCandidate(card: card, isRevoked: byCardNumber.integer(4) != 0, groups: try groups(of: subject))
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
        guard let items = try? CBOR.decodeSequence(encoded) else {
            throw StorageError(.corrupt, "The scope of an enrolled key is damaged.")
        }
        last = (encoded, items.compactMap(\.text))
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
