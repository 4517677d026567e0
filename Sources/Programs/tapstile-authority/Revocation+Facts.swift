import Credentials
import Encoding

extension Revocation {
    /// What was revoked, for reports.
    var facts: [(String, JSON)] {
        switch self {
        case .token(let identifier): [("token", .string(identifier.description))]
        case .issued(let issuer, let cti): [("issuer", .string(issuer)), ("cti", .string(Hex.encode(cti)))]
        case .subject(let subject): [("subject", .string(subject))]
        case .key(let thumbprint): [("thumbprint", .string(Hex.encode(thumbprint)))]
        case .issuer(let issuer): [("issuer", .string(issuer))]
        case .suspended(let subject): [("suspended", .string(subject))]
        }
    }
}
