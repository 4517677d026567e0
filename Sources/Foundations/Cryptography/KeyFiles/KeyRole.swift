/// What a key speaks for. A key has one role (phone-protocol, "Keys").
public enum KeyRole: String, Hashable, Sendable, CaseIterable {
    /// Signs the publications of a site.
    case site
    /// Signs tokens.
    case tokenIssuer = "token-issuer"
    /// Signs credentials of gates.
    case gateIssuer = "gate-issuer"
    /// A gate group's key that signs.
    case gateSigning = "gate-signing"
    /// A gate group's key that agrees.
    case gateAgreement = "gate-agreement"
    /// Signs a gate's audit checkpoints.
    case audit
    /// Signs an operator's actions.
    case `operator`
    /// Signs that audit records were collected.
    case collector
    /// A person's phone.
    case phone
    /// Signs the keys of all roles of a repository.
    case root
    /// Signs what a repository has of the site.
    case targets
    /// Signs what a repository has of people.
    case people
    /// Signs which versions a repository has.
    case snapshot
    /// Signs that a repository is fresh.
    case timestamp

    /// Whether a key of this role may be used that way.
    public func fits(_ use: KeyUse) -> Bool {
        switch (self, use) {
        case (.phone, .sign), (.phone, .agree), (.gateAgreement, .agree): true
        case (.gateAgreement, .sign): false
        case (.site, .sign), (.tokenIssuer, .sign), (.gateIssuer, .sign), (.gateSigning, .sign), (.audit, .sign),
             (.operator, .sign), (.collector, .sign), (.root, .sign), (.targets, .sign), (.people, .sign), (.snapshot, .sign),
             (.timestamp, .sign): true
        case (.site, .agree), (.tokenIssuer, .agree), (.gateIssuer, .agree), (.gateSigning, .agree), (.audit, .agree),
             (.operator, .agree), (.collector, .agree), (.root, .agree), (.targets, .agree), (.people, .agree), (.snapshot, .agree),
             (.timestamp, .agree): false
        }
    }

    /// The curve of keys that are made for it: Ed25519 where clients of repositories must know it, else P-256.
    var usualCurve: Curve {
        switch self {
        case .root, .targets, .people, .snapshot, .timestamp: .ed25519
        case .site, .tokenIssuer, .gateIssuer, .gateSigning, .gateAgreement, .audit, .operator, .collector, .phone: .p256
        }
    }
}
