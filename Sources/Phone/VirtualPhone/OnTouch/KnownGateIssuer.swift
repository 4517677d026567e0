import Conversations
import Credentials

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
    public func peer(showing raw: [UInt8], at seconds: Int64?) throws(GateTokenError) -> PeerCredential {
        let token = try GateToken(parsing: raw)
        try token.verify(by: issuer, at: seconds)
        let key = token.claims.confirmationKey
        return PeerCredential(credential: raw, key: key.key, use: key.use)
    }
}
