import Cryptography
import Encoding

/// A gate's credential by value: a CWT (RFC 8392) in an untagged COSE_Sign1, signed with ES256 by the site's gate
/// issuer. A phone that knows the issuer believes a key it has never seen, which is the way out when a gate's
/// key was stolen.
///
/// Its protected header has a type (RFC 9596) that a person's `Token` never has, and its claims lack the audience
/// that a person's token must have: neither is ever read as the other, whoever signed it. It has one form
/// only; nothing may be in the unprotected header.
public struct GateToken: Hashable, Sendable {
    /// The bytes as received: EDHOC hashes them.
    public let raw: [UInt8]
    /// What the token says.
    public let claims: GateTokenClaims
    private let toBeSigned: [UInt8]
    private let signature: [UInt8]

    /// `typ` of the protected header: the media type `application/tapstile-gate`, which is not registered.
    public static let type = "tapstile-gate"
    /// The longest gate token that is read, in bytes: message_2 has room for twice as much.
    public static let longest = 512

    /// Reads a gate token in its one form. Whether it is true is for `verify`.
    public init(parsing raw: [UInt8]) throws(GateTokenError) {
        guard raw.count <= Self.longest else { throw .tooLong }
        let signed: COSESign1
        do throws(COSEError) { signed = try COSESign1(parsing: raw) } catch { throw .structure(error) }
        let header: CBORMap = [COSEHeader.algorithm: CBOR(SignatureAlgorithm.es256.rawValue), COSEHeader.type: .text(Self.type)]
        guard signed.protected == header, signed.unprotected.isEmpty else { throw .header }
        guard signed.signature.count == SignatureAlgorithm.signatureLength else { throw .header }
        guard let payload = try? CBOR.decode(signed.payload) else { throw .claims }
        claims = try GateTokenClaims(cbor: payload)
        toBeSigned = signed.toBeSigned()
        signature = signed.signature
        self.raw = raw
    }

    /// Issues a gate token. Throws if the claims would not be read back as they are, or the key does not sign ES256.
    public static func issue(_ claims: GateTokenClaims, key: SigningKey) throws(GateTokenError) -> GateToken {
        guard key.algorithm == .es256 else { throw .header }
        let signed: COSESign1
        do throws(COSEError) {
            signed = try COSESign1.sign(payload: claims.cbor.encoded, protected: [COSEHeader.type: .text(type)], key: key)
        } catch {
            throw .structure(error)
        }
        let token = try GateToken(parsing: signed.encoded)
        guard token.claims == claims else { throw .claims }
        return token
    }

    /// Whether this is the token of a gate of the issuer's site.
    /// - Parameter seconds: now, UNIX time; nil: nobody knows, and the times are not asked.
    /// - Throws: the first of these that is so: another issuer or site, a bad signature, a key of the issuer itself, not
    ///   yet valid, expired.
    public func verify(by issuer: GateIssuer, at seconds: Int64?) throws(GateTokenError) {
        guard claims.issuer.hasSameBytes(as: issuer.name), claims.site.hasSameBytes(as: issuer.site) else { throw .otherIssuer }
        guard issuer.key.verify(signature, over: toBeSigned) else { throw .signature }
        guard claims.confirmationKey.key != issuer.key else { throw .confirmationKey }
        guard let seconds else { return }
        guard claims.notBefore <= seconds else { throw .notYetValid(since: claims.notBefore) }
        guard seconds < claims.expiresAt else { throw .expired(at: claims.expiresAt) }
    }
}
