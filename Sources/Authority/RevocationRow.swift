import Credentials
import Storage

/// A revocation as a row of the database. The kinds are those of the publication.
struct RevocationRow {
    let kind: Int64
    let value: [UInt8]
    let issuer: String

    init(_ revocation: Revocation) {
        switch revocation {
        case .token(let identifier): (kind, value, issuer) = (1, identifier.bytes, "")
        case .issued(let name, let cti): (kind, value, issuer) = (2, cti, name)
        case .subject(let subject): (kind, value, issuer) = (3, Array(subject.utf8), "")
        case .key(let thumbprint): (kind, value, issuer) = (4, thumbprint, "")
        case .suspended(let subject): (kind, value, issuer) = (5, Array(subject.utf8), "")
        }
    }

    init(kind: Int64, value: [UInt8], issuer: String) {
        (self.kind, self.value, self.issuer) = (kind, value, issuer)
    }

    /// The row that begins at this column.
    init(_ row: SQLiteStatement, at column: Int32) {
        kind = row.integer(column)
        value = row.bytes(column + 1)
        issuer = row.text(column + 2)
    }

    func bind(to statement: SQLiteStatement) {
        statement.bind(kind, at: 1)
        statement.bind(value, at: 2)
        statement.bind(issuer, at: 3)
    }

    /// Nil if the database is damaged.
    var revocation: Revocation? {
        switch kind {
        case 1: TokenIdentifier(value).map { .token($0) }
        case 2: .issued(issuer: issuer, cti: value)
        case 3: String(validating: value, as: UTF8.self).map { .subject($0) }
        case 4: .key(thumbprint: value)
        case 5: String(validating: value, as: UTF8.self).map { .suspended($0) }
        default: nil
        }
    }
}
