import Credentials
import Cryptography
import Encoding
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
    private let connection: SQLiteConnection
    private let revocation: SQLiteStatement
    private let byIdentifier: SQLiteStatement
    private let byThumbprint: SQLiteStatement
    private let revocationKinds: Int64
    /// Most keys have the same scope and audiences: the last ones read are not decoded again.
    private var lastScope: (encoded: [UInt8], texts: [String]) = ([], [])
    private var lastAudiences: (encoded: [UInt8], texts: [String]) = ([], [])

    /// Opens a file that nobody changes any more. Reads a bounded part of it.
    /// - Parameter issuers: of another reader of the same file, so that prepared keys are shared.
    init(path: String, issuers known: [String: TokenIssuer]?, fileSystem: String?) throws(StorageError) {
        connection = try SQLiteConnection(
            path: path, access: .immutable, fileSystem: fileSystem, cacheKibibytes: Self.cacheKibibytes)
        (publication, revocationKinds) = try Self.publication(of: connection)
        issuers = if let known { known } else { try Self.issuers(of: connection) }
        revocation = try connection.prepare("SELECT 1 FROM revocation WHERE kind = ?1 AND value = ?2")
        let attested = try connection.integer("PRAGMA user_version") < 3 ? "0" : "user_verification"
        let columns = """
            SELECT kid, use, curve, x, y, subject, scope, audiences, not_before, expires_at, thumbprint, \(attested) FROM enrolled
            """
        let most = TrustQuestion.mostCandidates
        byIdentifier = try connection.prepare("\(columns) WHERE kid = ?1 ORDER BY id LIMIT \(most)")
        byThumbprint = try connection.prepare("\(columns) WHERE print = ?1 AND thumbprint = ?2 LIMIT \(most)")
    }

    private static func publication(
        of connection: SQLiteConnection
    ) throws(StorageError) -> (TrustPublication, kinds: Int64) {
        // A file that could not be brought up to date yet says everything but this.
        let appliedAt = try connection.integer("PRAGMA user_version") < 2 ? "NULL" : "applied_at"
        let row = try connection.prepare(
            """
            SELECT site, version, issued_at, expires_at, body_hash, generation, issuers, gate_credentials, enrolled,
            revocations, revocation_kinds, \(appliedAt) FROM publication
            """)
        guard try row.step() else { throw StorageError(.corrupt, "The trust data do not say what they are.") }
        var counts = PublicationCounts()
        counts.issuers = UInt64(clamping: row.integer(6))
        counts.gateCredentials = UInt64(clamping: row.integer(7))
        counts.enrolled = UInt64(clamping: row.integer(8))
        counts.revocations = UInt64(clamping: row.integer(9))
        // Milliseconds are made of it; what no publication can name is damage.
        guard (0...SitePublication.latestTime).contains(row.integer(2)) else {
            throw StorageError(.corrupt, "The trust data name a time of issue that cannot be.")
        }
        let publication = TrustPublication(
            site: row.text(0), version: UInt64(clamping: row.integer(1)), issuedAt: row.integer(2),
            expiresAt: row.integer(3), bodyHash: row.bytes(4), counts: counts,
            generation: UInt64(clamping: row.integer(5)), appliedAt: row.optionalInteger(11))
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

    // Questions ----------------------------------------------------------------------------------

    func answer(_ question: TrustQuestion) throws(StorageError) -> TrustAnswer {
        var isRevoked = false
        for asked in question.revocations where !isRevoked {
            isRevoked = try contains(RevocationRow(asked))
        }
        return TrustAnswer(
            issuer: question.issuer.flatMap { issuers[$0] }, isRevoked: isRevoked,
            enrolled: try candidates(question.enrolled), generation: publication.generation,
            publicationIssuedAt: publication.issuedAt)
    }

    private func contains(_ row: RevocationRow) throws(StorageError) -> Bool {
        guard revocationKinds & row.bit != 0 else { return false }
        revocation.bind(row.kind, at: 1)
        revocation.bind(row.value, at: 2)
        defer { revocation.reset() }
        return try revocation.step()
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
            var revoked = try contains(RevocationRow(.subject(key.subject)))
            // The thumbprint was computed when the publication was applied.
            if !revoked { revoked = try contains(RevocationRow(.key(thumbprint: statement.bytes(10)))) }
            found.append(TrustAnswer.EnrolledCandidate(key: key, isRevoked: revoked))
        }
        return found
    }

    private func enrolledKey(_ row: SQLiteStatement) throws(StorageError) -> EnrolledKey {
        guard let use = KeyUse(stored: row.integer(1)), let curve = Curve(rawValue: Int(row.integer(2))),
              let key = try? PublicKey(curve: curve, x: row.bytes(3), y: row.optionalBytes(4))
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
