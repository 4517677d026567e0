import CSQLite
import Credentials
import Encoding
import SiteData
import SiteRules

/// The statements that write records as rows into a file of site data.
final class TrustRows {
    private let connection: SQLiteConnection
    private let issuer: SQLiteStatement
    private let gateCredential: SQLiteStatement
    private let enrolled: SQLiteStatement
    private let revocation: SQLiteStatement
    private let siteRevocation: SQLiteStatement
    private let rule: SQLiteStatement
    private let membership: SQLiteStatement
    private let uidOnlyCard: SQLiteStatement
    private let word: SQLiteStatement
    /// The kinds of revocations written so far, as bits; those of the site apart.
    private(set) var revocationKinds: Int64 = 0
    private(set) var siteRevocationKinds: Int64 = 0
    /// Most keys have the same scope and audiences: the last ones are not encoded again.
    private var lastScope: (texts: [String], encoded: [UInt8]) = ([], [])
    private var lastAudiences: (texts: [String], encoded: [UInt8]) = ([], [])

    init(_ connection: SQLiteConnection) throws(StorageError) {
        self.connection = connection
        issuer = try connection.prepare("INSERT INTO issuer (name, x, y, ceiling) VALUES (?1, ?2, ?3, ?4)")
        gateCredential = try connection.prepare("INSERT INTO gate_credential (raw) VALUES (?1)")
        enrolled = try connection.prepare(
            """
            INSERT INTO enrolled (kid, print, thumbprint, use, curve, x, y, subject, scope, audiences, not_before, expires_at,
                user_verification, revoked)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, 0)
            """)
        revocation = try connection.prepare("INSERT OR IGNORE INTO revocation (kind, value) VALUES (?1, ?2)")
        siteRevocation = try connection.prepare("INSERT OR IGNORE INTO site_revocation (kind, value) VALUES (?1, ?2)")
        rule = try connection.prepare("INSERT INTO rule (record) VALUES (?1)")
        membership = try connection.prepare("INSERT INTO membership (person, member_of) VALUES (?1, ?2)")
        uidOnlyCard = try connection.prepare(
            "INSERT OR IGNORE INTO plain_card (uid, subject, audiences, not_before, expires_at) VALUES (?1, ?2, ?3, ?4, ?5)")
        word = try connection.prepare("INSERT INTO word (language, name, shown) VALUES (?1, ?2, ?3)")
    }

    /// - Parameter key: that of the record, if whoever calls knows it: it takes a hash to make it.
    /// - Returns: false if there is a row already that this one would have to replace.
    func store(_ record: PublicationRecord, of key: RecordKey? = nil) throws(StorageError) -> Bool {
        switch record {
        case .issuer(let given): try add(given)
        case .gateCredential(let raw):
            gateCredential.bind(raw, at: 1)
            try gateCredential.run()
        case .enrolled(let given): try add(given, thumbprint: key?.bytes ?? given.key.thumbprint)
        case .revocation(let given):
            let row = RevocationRow(given)
            revocationKinds |= row.bit
            try add(row, by: revocation)
        case .uidOnlyCard(let card): return try add(card)
        case .rule(.membership(let given)):
            try add(given, person: key.map { Array($0.bytes.prefix(PersonDigest.length)) } ?? PersonDigest(subject: given.subject).bytes)
        case .rule(let given):
            rule.bind(given.cbor.encoded, at: 1)
            try rule.run()
        // It stands beside what the file says of itself.
        case .ceiling: break
        case .message(let given): try add(given)
        }
        return true
    }

    /// What the site revoked itself is kept apart: people who change their list cannot take it back.
    func store(ofSite given: Revocation) throws(StorageError) {
        let row = RevocationRow(given)
        siteRevocationKinds |= row.bit
        try add(row, by: siteRevocation)
    }

    private func add(_ given: TokenIssuer) throws(StorageError) {
        issuer.bind(given.name, at: 1)
        issuer.bind(given.key.x, at: 2)
        issuer.bind(given.key.y, at: 3)
        issuer.bind(given.ceiling?.encoded, at: 4)
        try issuer.run()
    }

    private func add(_ key: EnrolledKey, thumbprint: [UInt8]) throws(StorageError) {
        enrolled.bind(key.keyIdentifier, at: 1)
        enrolled.bind(TrustTables.prefix(of: thumbprint), at: 2)
        enrolled.bind(thumbprint, at: 3)
        enrolled.bind(key.use.stored, at: 4)
        enrolled.bind(Int64(key.key.curve.rawValue), at: 5)
        enrolled.bind(key.key.x, at: 6)
        enrolled.bind(key.key.y, at: 7)
        enrolled.bind(key.subject, at: 8)
        enrolled.bind(Self.encoded(key.scope, &lastScope), at: 9)
        enrolled.bind(Self.encoded(key.audiences, &lastAudiences), at: 10)
        enrolled.bind(key.notBefore, at: 11)
        enrolled.bind(key.expiresAt, at: 12)
        enrolled.bind(key.userVerification ? 1 : 0, at: 13)
        try enrolled.run()
    }

    private static func encoded(_ texts: [String], _ last: inout (texts: [String], encoded: [UInt8])) -> [UInt8] {
        // Strings that only look alike are told apart by their bytes.
        if texts.count != last.texts.count || !zip(texts, last.texts).allSatisfy({ $0.utf8.elementsEqual($1.utf8) }) {
            last = (texts, CBOR.encodeSequence(texts.map(CBOR.text)))
        }
        return last.encoded
    }

    private func add(_ given: Membership, person: [UInt8]) throws(StorageError) {
        membership.bind(person, at: 1)
        membership.bind(given.group, at: 2)
        try membership.run()
    }

    private func add(_ card: UIDOnlyCard) throws(StorageError) -> Bool {
        uidOnlyCard.bind(card.number.bytes, at: 1)
        uidOnlyCard.bind(card.subject, at: 2)
        uidOnlyCard.bind(CBOR.encodeSequence(card.audiences.map(CBOR.text)), at: 3)
        uidOnlyCard.bind(card.notBefore, at: 4)
        uidOnlyCard.bind(card.expiresAt, at: 5)
        try uidOnlyCard.run()
        return sqlite3_changes(connection.handle) == 1
    }

    private func add(_ given: SiteMessage) throws(StorageError) {
        word.bind(given.language, at: 1)
        word.bind(given.name, at: 2)
        word.bind(given.text, at: 3)
        try word.run()
    }

    private func add(_ row: RevocationRow, by statement: SQLiteStatement) throws(StorageError) {
        statement.bind(row.kind, at: 1)
        statement.bind(row.value, at: 2)
        try statement.run()
    }
}
