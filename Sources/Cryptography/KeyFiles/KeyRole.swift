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

    /// Whether a key of this role may be used that way.
    public func fits(_ use: KeyUse) -> Bool {
        switch (self, use) {
        case (.phone, .sign), (.phone, .agree), (.gateAgreement, .agree): true
        case (.gateAgreement, .sign): false
        case (.site, .sign), (.tokenIssuer, .sign), (.gateIssuer, .sign), (.gateSigning, .sign), (.audit, .sign),
             (.operator, .sign), (.collector, .sign): true
        case (.site, .agree), (.tokenIssuer, .agree), (.gateIssuer, .agree), (.gateSigning, .agree), (.audit, .agree),
             (.operator, .agree), (.collector, .agree): false
        }
    }
}
