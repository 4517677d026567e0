import Cryptography

/// Shared secrets of an exchange, with the library's refusals told as EDHOC errors.
enum KeyAgreement {
    /// The point another side sent, checked to be on the curve.
    static func point(_ bytes: [UInt8], _ curve: Curve) throws(EDHOCError) -> PublicKey {
        guard bytes.count == CipherSuite.pointLength,
              let key = try? PublicKey(curve: curve, x: bytes, y: nil)
        else { throw .badEphemeralKey }
        return key
    }

    /// A secret with an ephemeral key of the other side. Refused where it is all zero (RFC 9528, 9.2).
    static func secret(_ key: AgreementKey, ephemeral peer: PublicKey) throws(EDHOCError) -> [UInt8] {
        guard let secret = try? key.sharedSecret(with: peer) else { throw .badEphemeralKey }
        return secret
    }

    /// A secret with a long-term key of the other side.
    static func secret(_ key: AgreementKey, static peer: PublicKey) throws(EDHOCError) -> [UInt8] {
        guard let secret = try? key.sharedSecret(with: peer) else { throw .keyDoesNotFit }
        return secret
    }
}
