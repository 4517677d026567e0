import Credentials
import Encoding

/// A revocation as a row of `trust.db`: a kind and the value within it.
struct RevocationRow {
    /// Written into the database: never renumbered.
    let kind: Int64
    let value: [UInt8]

    init(_ revocation: Revocation) {
        switch revocation {
        case .token(let identifier):
            kind = 1
            value = identifier.bytes
        case .issued(let issuer, let cti):
            kind = 2
            // Two strings in one value: CBOR keeps them apart.
            value = CBOR.encodeSequence([.text(issuer), .bytes(cti)])
        case .subject(let subject):
            kind = 3
            value = Array(subject.utf8)
        case .key(let thumbprint):
            kind = 4
            value = thumbprint
        case .suspended(let subject):
            kind = 5
            value = Array(subject.utf8)
        case .issuer(let issuer):
            kind = 6
            value = Array(issuer.utf8)
        }
    }

    /// The bytes of its `RecordKey`.
    var key: [UInt8] { [UInt8(truncatingIfNeeded: kind)] + value }

    /// The kind's bit in `publication.revocation_kinds`: kinds that do not occur need no lookup.
    var bit: Int64 { 1 << kind }
}
