import Credentials
import Cryptography
import Encoding
import SiteRules
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
        case .issuer(let name): (kind, value, issuer) = (6, Array(name.utf8), "")
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
        if kind == 2 { return Self.isName(issuer) && !value.isEmpty ? .issued(issuer: issuer, cti: value) : nil }
        guard issuer.isEmpty else { return nil }
        return switch kind {
        case 1: TokenIdentifier(value).map { .token($0) }
        case 3: subject.map { .subject($0) }
        case 4: value.count == SHA256.length ? .key(thumbprint: value) : nil
        case 5: subject.map { .suspended($0) }
        case 6: subject.map { .issuer($0) }
        default: nil
        }
    }

    private var subject: String? { String(validating: value, as: UTF8.self).flatMap { Self.isName($0) ? $0 : nil } }

    private static func isName(_ text: String) -> Bool { (1...SiteRecord.longestText).contains(text.utf8.count) && text.isComposed }
}
