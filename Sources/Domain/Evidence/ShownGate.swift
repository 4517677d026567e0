import Credentials
import Cryptography

/// The credential that a gate proved, as evidence has it.
enum ShownGate: Hashable, Sendable {
    /// The claims set of a key that phones have received before.
    case group(ConfirmedKeyCredential)
    /// A token of the site's gate issuer.
    case token(GateToken)

    init?(_ credential: [UInt8]) {
        if let token = try? GateToken(parsing: credential) {
            self = .token(token)
        } else if let claims = try? ConfirmedKeyCredential(parsing: credential) {
            self = .group(claims)
        } else {
            return nil
        }
    }

    var key: PublicKey {
        switch self {
        case .group(let claims): claims.key.key
        case .token(let token): token.claims.confirmationKey.key
        }
    }

    /// The site that it names.
    var site: String? {
        switch self {
        case .group(let claims): claims.subject
        case .token(let token): token.claims.site
        }
    }

    /// Whether one of these vouches for it at a time (UNIX seconds).
    func isVouchedFor(by known: [GateListEntry], at seconds: Int64) -> Bool {
        known.contains { entry in
            switch (self, entry) {
            case (.group(let claims), .credential(let known)): claims.raw == known.raw
            case (.token(let token), .issuer(let issuer)): (try? token.verify(by: issuer, at: seconds)) != nil
            case (.group, .issuer), (.token, .credential): false
            }
        }
    }
}
