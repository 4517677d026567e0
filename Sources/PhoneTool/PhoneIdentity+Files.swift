import Conversations
import Credentials
import VirtualPhone

/// How a phone shows who it is.
public enum PresentedFiles: Sendable {
    /// A token by value.
    case token(path: String)
    /// A token by reference; by value when the gate does not know it.
    case tokenReference(path: String)
    /// A claims set by value, perhaps with a token beside it.
    case claims(path: String, token: String?)
    /// A claims set by its `kid`; by value when the gate does not know it. Perhaps with a token beside it.
    case keyIdentifier(path: String, token: String?)
}

extension PhoneIdentity {
    /// The identity that a phone's files make. A credential that names another key than the phone's is
    /// refused, unless that is what is to be tried.
    public init(keyPath: String, gatesPath: String, presenting files: PresentedFiles, allowingOtherKey: Bool = false)
        throws(PhoneToolError) {
        let key = try PhoneFiles.key(at: keyPath)
        let (gates, issuers) = try PhoneFiles.gateList(at: gatesPath)
        switch files {
        case .token(let path), .tokenReference(let path):
            let token = try PhoneFiles.token(at: path)
            guard allowingOtherKey || token.confirmationKey == key.publicKey else { throw .otherKey(path: path) }
            let credential: PhoneCredential = if case .token = files { .token(token.raw) } else { .tokenReference(token.raw) }
            self.init(credential: credential, key: key, gates: gates, gateIssuers: issuers)
        case .claims(let path, let tokenPath):
            let claims = try PhoneFiles.claims(at: path)
            guard allowingOtherKey || claims.key.key == key.publicKey else { throw .otherKey(path: path) }
            self.init(credential: .claims(claims.raw), key: key, accompanyingToken: try Self.token(tokenPath), gates: gates, gateIssuers: issuers)
        case .keyIdentifier(let path, let tokenPath):
            let claims = try PhoneFiles.claims(at: path)
            guard allowingOtherKey || claims.key.key == key.publicKey else { throw .otherKey(path: path) }
            guard let identifier = claims.key.keyIdentifier else { throw .noKeyIdentifier(path: path) }
            self.init(credential: .keyIdentifier(identifier, claims: claims.raw), key: key,
                      accompanyingToken: try Self.token(tokenPath), gates: gates, gateIssuers: issuers)
        }
    }

    private static func token(_ path: String?) throws(PhoneToolError) -> [UInt8]? {
        guard let path else { return nil }
        return try PhoneFiles.token(at: path).raw
    }
}
