import Credentials
import Cryptography

/// Who speaks for what in one publication: issuers of tokens, gates and their issuers. Each name and each key has one
/// role (V3); that of a person it never has.
struct PublicationRoles: Sendable {
    /// Names of token issuers and of gate issuers, as bytes.
    private var tokenIssuers: Set<[UInt8]> = []
    private var gateIssuers: Set<[UInt8]> = []
    private var keys: [PublicKey: Role] = [:]

    private enum Role { case tokenIssuer, gate, gateIssuer }

    /// Takes a record in, in whatever order they come. A person whose record comes before that of the gate with the
    /// same key is not noticed here: to remember a million of them is for whoever stores them.
    mutating func admit(_ record: PublicationRecord) throws(PublicationError) {
        switch record {
        case .issuer(let issuer):
            guard !gateIssuers.contains(Array(issuer.name.utf8)) else { throw .sharedIssuer(issuer.name) }
            tokenIssuers.insert(Array(issuer.name.utf8))
            try claim(issuer.key, for: .tokenIssuer)
        case .gateCredential(let raw):
            try admitGate(raw)
        case .enrolled(let enrolled):
            guard keys[enrolled.key] == nil else { throw .keyOfTwoRoles(thumbprint: enrolled.key.thumbprint) }
        case .revocation, .uidOnlyCard, .rule, .ceiling, .message:
            break
        }
    }

    private mutating func admitGate(_ raw: [UInt8]) throws(PublicationError) {
        guard let entry = GateListEntry(parsing: raw) else { return }
        switch entry {
        case .credential(let credential):
            try claim(credential.key.key, for: .gate)
        case .issuer(let issuer):
            guard !tokenIssuers.contains(Array(issuer.name.utf8)) else { throw .sharedIssuer(issuer.name) }
            gateIssuers.insert(Array(issuer.name.utf8))
            try claim(issuer.key, for: .gateIssuer)
        }
    }

    private mutating func claim(_ key: PublicKey, for role: Role) throws(PublicationError) {
        guard keys[key] ?? role == role else { throw .keyOfTwoRoles(thumbprint: key.thumbprint) }
        keys[key] = role
    }
}

extension PublicationRecord {
    /// The key in the record that is no person's, if there is one.
    public var keyOfOtherRole: PublicKey? {
        switch self {
        case .issuer(let issuer): return issuer.key
        case .gateCredential(let raw):
            guard let entry = GateListEntry(parsing: raw) else { return nil }
            switch entry {
            case .credential(let credential): return credential.key.key
            case .issuer(let issuer): return issuer.key
            }
        case .enrolled, .revocation, .uidOnlyCard, .rule, .ceiling, .message: return nil
        }
    }
}
