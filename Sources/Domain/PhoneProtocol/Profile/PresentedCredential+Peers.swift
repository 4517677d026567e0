import Credentials
import Cryptography

/// The credentials whose key the phone may be proving, for `NFCGateConversation.resolve`.
extension PresentedCredential {
    /// All of them: empty if nobody is known, or a token's key is not the key beside it.
    /// - Parameter enrolled: what the site data know by this reference or key, in the order wanted. Needed unless a
    ///   token is presented.
    public func candidates(enrolled: [EnrolledKey]) -> [PeerCredential] {
        switch self {
        case .token, .tokenBesideKey, .tokenBesideReference: tokenPeer.map { [$0] } ?? []
        case .keyIdentifier, .key: enrolled.compactMap { peer(of: $0) }
        }
    }

    /// The one that a token stands for; nil where none is presented, or its key is not the key beside it.
    public var tokenPeer: PeerCredential? {
        switch self {
        case .token(let token):
            return PeerCredential(token.claims.confirmationKey, in: token.raw)
        case .tokenBesideKey(let token, let claims):
            let confirmed = token.claims.confirmationKey
            guard let claims, claims.key.key == confirmed.key else { return nil }
            return PeerCredential(confirmed, in: claims.raw)
        case .tokenBesideReference(let token, let identifier):
            // The gate cannot know the phone's CCS, so it is the one that follows from the token.
            let confirmed = token.claims.confirmationKey
            let key = COSEKey(key: confirmed.key, keyIdentifier: identifier)
            return PeerCredential(confirmed, in: ConfirmedKeyCredential(key: key, subject: token.claims.subject).raw)
        case .keyIdentifier, .key:
            return nil
        }
    }

    /// The one that an enrolled key stands for; nil where a token is presented, or another key.
    public func peer(of enrolled: EnrolledKey) -> PeerCredential? {
        switch self {
        case .token, .tokenBesideKey, .tokenBesideReference: nil
        case .keyIdentifier: PeerCredential(credential: enrolled.credential, key: enrolled.key, use: enrolled.use)
        case .key(let claims):
            claims.key.key == enrolled.key ? PeerCredential(credential: claims.raw, key: enrolled.key, use: enrolled.use) : nil
        }
    }
}

extension PeerCredential {
    /// A key, and the credential that it was read from.
    public init(_ key: COSEKey, in credential: [UInt8]) {
        self.init(credential: credential, key: key.key, use: key.use)
    }
}
