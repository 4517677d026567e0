import Credentials
import Cryptography

extension Claim {
    /// The credentials whose key the phone may be proving, for `OnTouchGate.resolve`.
    /// - Parameter enrolled: what the site data know by this reference or key, in the order wanted.
    ///   Needed unless a token is presented.
    /// - Returns: empty if nobody is known, or a token's key is not the key beside it.
    public func candidates(for presented: PresentedCredential, enrolled: [EnrolledKey]) -> [PeerCredential] {
        switch presented {
        case .token(let token): candidates(of: token)
        case .key(let claims):
            enrolled.filter { $0.key == claims.key.key }
                .map { PeerCredential(credential: claims.raw, key: $0.key, use: $0.use) }
        case .keyIdentifier:
            enrolled.map { PeerCredential(credential: $0.credential, key: $0.key, use: $0.use) }
        }
    }

    private func candidates(of token: Token) -> [PeerCredential] {
        let confirmed = token.claims.confirmationKey
        switch credential {
        case .token(let bytes):
            return [PeerCredential(credential: bytes, key: confirmed.key, use: confirmed.use)]
        case .claims(let bytes):
            guard let claims = try? ConfirmedKeyCredential(parsing: bytes), claims.key.key == confirmed.key else { return [] }
            return [PeerCredential(credential: bytes, key: confirmed.key, use: confirmed.use)]
        case .keyIdentifier(let identifier):
            // The gate cannot know the phone's CCS, so it is the one that follows from the token.
            let claims = ConfirmedKeyCredential(
                key: COSEKey(key: confirmed.key, keyIdentifier: identifier), subject: token.claims.subject)
            return [PeerCredential(credential: claims.raw, key: confirmed.key, use: confirmed.use)]
        }
    }
}
