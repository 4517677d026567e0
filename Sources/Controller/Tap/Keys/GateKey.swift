import Credentials
import Cryptography
import PhoneProtocol

/// One key of the gate, and what it shows for it.
struct GateKey: Sendable {
    /// The private key.
    let key: AuthenticationKey
    /// Its file.
    let path: String
    /// The CCS that phones have of it.
    let reference: GateCredential
    /// The credential by value, for phones that may not have the CCS.
    let token: GateToken?

    init(_ key: AuthenticationKey, path: String, site: String, token: GateToken? = nil) {
        self.key = key
        self.path = path
        reference = GateCredential(site: site, key: key.publicKey)
        self.token = token?.claims.confirmationKey.key == key.publicKey ? token : nil
    }

    /// The credential by value, as long as it is valid. A phone refuses one that is not; then the CCS is the
    /// better offer, which every phone has whose file is newer than the key.
    func validToken(at moment: KeyMoment) -> GateToken? {
        guard let token, moment.seconds < token.claims.expiresAt else { return nil }
        return moment.isTrusted && moment.seconds < token.claims.notBefore ? nil : token
    }

    /// What is shown for the key.
    func credential(at moment: KeyMoment) -> GateKeys.Credential {
        validToken(at: moment).map { GateKeys.Credential($0) }
            ?? GateKeys.Credential(keyIdentifier: reference.keyIdentifier, claims: reference.claims)
    }
}
