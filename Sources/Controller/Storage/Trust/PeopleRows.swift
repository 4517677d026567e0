import Credentials
import Encoding
import SiteData
import SiteRules

/// Rows of people found by the keys of their records: what they add to the sum of the state, and their removal.
///
/// A row is not made into the values that taps ask for: the form of its record is put together from the columns, so that a row that was
/// damaged has another element than the one it was entered with.
final class PeopleRows {
    private let enrolled: SQLiteStatement
    private let revocation: SQLiteStatement
    private let membership: SQLiteStatement
    private let uidOnlyCard: SQLiteStatement
    private let removals: [UInt64: SQLiteStatement]

    /// - Parameter isWritable: whether rows will be removed.
    init(_ connection: SQLiteConnection, isWritable: Bool) throws(StorageError) {
        enrolled = try connection.prepare(
            """
            SELECT kid, use, curve, x, y, subject, scope, audiences, not_before, expires_at, user_verification FROM enrolled
            WHERE print = ?1 AND thumbprint = ?2
            """)
        revocation = try connection.prepare("SELECT 1 FROM revocation WHERE kind = ?1 AND value = ?2")
        membership = try connection.prepare("SELECT 1 FROM membership WHERE person = ?1 AND member_of = ?2")
        uidOnlyCard = try connection.prepare("SELECT subject, audiences, not_before, expires_at FROM plain_card WHERE uid = ?1")
        removals = isWritable ? [
            RecordKey.Kind.enrolled: try connection.prepare("DELETE FROM enrolled WHERE print = ?1 AND thumbprint = ?2"),
            RecordKey.Kind.revocation: try connection.prepare("DELETE FROM revocation WHERE kind = ?1 AND value = ?2"),
            RecordKey.Kind.membership: try connection.prepare("DELETE FROM membership WHERE person = ?1 AND member_of = ?2"),
            RecordKey.Kind.uidOnlyCard: try connection.prepare("DELETE FROM plain_card WHERE uid = ?1")
        ] : [:]
    }

    /// The row with that key; nil: there is none.
    func row(of key: RecordKey) throws(StorageError) -> PeopleRow? {
        guard let statement = statement(for: key.kind) else { return nil }
        defer { statement.reset() }
        Self.bind(key, to: statement)
        guard try statement.step() else { return nil }
        switch key.kind {
        case RecordKey.Kind.enrolled: return try Self.enrolled(statement)
        case RecordKey.Kind.revocation: return PeopleRow(element: try Self.revocation(key))
        case RecordKey.Kind.membership:
            return PeopleRow(element: StateElement(group: Self.group(of: key), person: Array(key.bytes.prefix(PersonDigest.length))))
        default: return try Self.card(key, statement)
        }
    }

    /// Removes the row with that key.
    func remove(_ key: RecordKey) throws(StorageError) {
        guard let removal = removals[key.kind] else { return }
        Self.bind(key, to: removal)
        try removal.run()
    }

    private func statement(for kind: UInt64) -> SQLiteStatement? {
        switch kind {
        case RecordKey.Kind.enrolled: enrolled
        case RecordKey.Kind.revocation: revocation
        case RecordKey.Kind.membership: membership
        case RecordKey.Kind.uidOnlyCard: uidOnlyCard
        default: nil
        }
    }

    private static func bind(_ key: RecordKey, to statement: SQLiteStatement) {
        switch key.kind {
        case RecordKey.Kind.enrolled:
            statement.bind(TrustTables.prefix(of: key.bytes), at: 1)
            statement.bind(key.bytes, at: 2)
        case RecordKey.Kind.revocation:
            statement.bind(Int64(key.bytes.first ?? 0), at: 1)
            statement.bind(Array(key.bytes.dropFirst()), at: 2)
        case RecordKey.Kind.membership:
            statement.bind(Array(key.bytes.prefix(PersonDigest.length)), at: 1)
            statement.bind(group(of: key), at: 2)
        default:
            statement.bind(key.bytes, at: 1)
        }
    }

    private static func group(of key: RecordKey) -> String { String(decoding: key.bytes.dropFirst(PersonDigest.length), as: UTF8.self) }

    // The forms of records -----------------------------------------------------------------------

    private static func enrolled(_ row: SQLiteStatement) throws(StorageError) -> PeopleRow {
        let audiences = try texts(row.bytes(7))
        var fields: [CBOR] = [
            .unsigned(RecordKey.Kind.enrolled), .bytes(row.bytes(0)), CBOR(row.integer(1)), CBOR(row.integer(2)), .bytes(row.bytes(3)),
            row.optionalBytes(4).map(CBOR.bytes) ?? .null, .text(row.text(5)), .array(try texts(row.bytes(6))), .array(audiences),
            row.optionalInteger(8).map { CBOR($0) } ?? .null, row.optionalInteger(9).map { CBOR($0) } ?? .null
        ]
        if row.integer(10) != 0 { fields.append(.true) }
        return PeopleRow(element: StateElement(form: CBOR.array(fields).encoded), audiences: audiences.compactMap(\.text))
    }

    private static func card(_ key: RecordKey, _ row: SQLiteStatement) throws(StorageError) -> PeopleRow {
        let audiences = try texts(row.bytes(1))
        let fields: [CBOR] = [
            .unsigned(RecordKey.Kind.uidOnlyCard), .bytes(key.bytes), .text(row.text(0)), .array(audiences),
            row.optionalInteger(2).map { CBOR($0) } ?? .null, row.optionalInteger(3).map { CBOR($0) } ?? .null
        ]
        return PeopleRow(element: StateElement(form: CBOR.array(fields).encoded), audiences: audiences.compactMap(\.text))
    }

    private static func revocation(_ key: RecordKey) throws(StorageError) -> StateElement {
        let kind = key.bytes.first ?? 0, value = Array(key.bytes.dropFirst())
        let rest: [CBOR] = switch kind {
        case 2: try texts(value)
        case 3, 5, 6: [.text(String(decoding: value, as: UTF8.self))]
        default: [.bytes(value)]
        }
        return StateElement(form: CBOR.array([.unsigned(RecordKey.Kind.revocation), .unsigned(UInt64(kind))] + rest).encoded)
    }

    private static func texts(_ encoded: [UInt8]) throws(StorageError) -> [CBOR] {
        guard let items = try? CBOR.decodeSequence(encoded) else { throw StorageError(.corrupt, "A row of the site data is damaged.") }
        return items
    }
}

/// What a row of people says of its record: what it adds to the sum of the state, and which places it is about.
struct PeopleRow {
    let element: StateElement
    /// The audiences; nil for a kind of record that has none.
    var audiences: [String]?
}
