import Credentials
import Cryptography
import PhoneProtocol

/// A gate group's credential, as a phone received it together with its own.
public struct KnownGate: Hashable, Sendable {
    /// How the gate names it.
    public let keyIdentifier: [UInt8]
    /// The CCS, byte for byte.
    public let claims: [UInt8]
    /// The key in it.
    public let key: PublicKey
    /// What the key is for, where that is said.
    public let use: KeyUse?

    /// - Throws: if the bytes are no claims set with a key.
    public init(keyIdentifier: [UInt8], claims: [UInt8]) throws(COSEError) {
        let parsed = try ConfirmedKeyCredential(parsing: claims)
        self.keyIdentifier = keyIdentifier
        self.claims = claims
        key = parsed.key.key
        use = parsed.key.use
    }

    /// The same, where the key in the claims set has the `kid` by which the gate names it.
    public init(claims: [UInt8]) throws(COSEError) {
        guard let identifier = try ConfirmedKeyCredential(parsing: claims).key.keyIdentifier else { throw .notAKey }
        try self.init(keyIdentifier: identifier, claims: claims)
    }

    var peer: PeerCredential { PeerCredential(credential: claims, key: key, use: use) }
}

/// A gate issuer, as a phone received it together with its own credential: whoever shows a gate token of it, and
/// proves the key in it, is a gate of the site.
public struct KnownGateIssuer: Hashable, Sendable {
    /// Name, site and key.
    public let issuer: GateIssuer

    public init(_ issuer: GateIssuer) {
        self.issuer = issuer
    }

    /// The credential to check the gate's proof against, where `raw` is a gate token of this issuer.
    /// - Parameters:
    ///   - raw: the CWT that ID_CRED_R carries, byte for byte.
    ///   - seconds: now by the phone's own clock, UNIX time; nil if it has none. The time that the gate tells is its
    ///     own, and is nothing to go by.
    public func peer(shownSignal raw: [UInt8], at seconds: Int64?) throws(GateTokenError) -> PeerCredential {
        let token = try GateToken(parsing: raw)
        try token.verify(by: issuer, at: seconds)
        let key = token.claims.confirmationKey
        return PeerCredential(credential: raw, key: key.key, use: key.use)
    }
}
