import Credentials
import SiteRules
import Storage

/// A name of something that is gone, as a row of the database.
struct GoneRow {
    /// The kinds of records, as publications number them.
    enum Kind {
        static let enrolled: Int64 = 3
        static let revocation: Int64 = 4
        static let membership: Int64 = 11
        static let uidOnlyCard: Int64 = 12
    }

    let kind: Int64
    /// The kind of revocation.
    let part: Int64
    let value: [UInt8]
    /// The issuer or the group.
    let text: String

    init(kind: Int64, value: [UInt8], name: String = "") {
        (self.kind, part, self.value, text) = (kind, 0, value, name)
    }

    init(_ row: RevocationRow) {
        (kind, part, value, text) = (Kind.revocation, row.kind, row.value, row.issuer)
    }

    /// The current row of `SELECT kind, part, value, name`.
    init(_ row: SQLiteStatement) {
        (kind, part, value, text) = (row.integer(0), row.integer(1), row.bytes(2), row.text(3))
    }

    func bind(to statement: SQLiteStatement) {
        statement.bind(kind, at: 1)
        statement.bind(part, at: 2)
        statement.bind(value, at: 3)
        statement.bind(text, at: 4)
    }

    /// Nil if the database is damaged.
    var name: PeopleKey? {
        switch kind {
        case Kind.enrolled: .enrolled(thumbprint: value)
        case Kind.uidOnlyCard: (try? UIDOnlyCardNumber(value)).map { .card($0) }
        case Kind.revocation: RevocationRow(kind: part, value: value, issuer: text).revocation.map { .revocation($0) }
        case Kind.membership:
            String(validating: value, as: UTF8.self).map { .membership(Membership(group: text, subject: $0)) }
        default: nil
        }
    }
}
