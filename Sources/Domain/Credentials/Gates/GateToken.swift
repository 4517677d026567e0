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

/// Who signs the gate tokens of a site. Its key is nobody else's: an issuer of persons' tokens makes no gates, and a
/// gate issuer lets nobody in.
public struct GateIssuer: Hashable, Sendable {
    /// The site whose gates it makes.
    public let site: String
    /// The name that its tokens carry as `iss`.
    public let name: String
    /// Its key (P-256).
    public let key: PublicKey

    /// A gate issuer.
    public init(site: String, name: String, key: PublicKey) {
        self.site = site
        self.name = name
        self.key = key
    }
}

/// Why a gate token is not believed.
public enum GateTokenError: Error, Hashable, Sendable {
    /// More than `GateToken.longest` bytes.
    case tooLong
    /// Not an acceptable COSE_Sign1; an added tag is one of the causes.
    case structure(COSEError)
    /// The headers are not exactly ES256 and the type of a gate token, or the signature has not 64 bytes. A
    /// person's token ends here.
    case header
    /// A claim is missing, is of a wrong type or empty, or there is one that a gate token never has.
    case claims
    /// `cnf` is not exactly one COSE_Key that tells what it is for, or it is the issuer's own key.
    case confirmationKey
    /// Another issuer, or the gate of another site.
    case otherIssuer
    /// The signature is not the issuer's.
    case signature
    /// UNIX seconds.
    case notYetValid(since: Int64)
    /// UNIX seconds.
    case expired(at: Int64)

    /// Stable code.
    public var code: String {
        switch self {
        case .tooLong: "gate-token-too-long"
        case .structure(let error): error.code
        case .header: "gate-token-header"
        case .claims: "gate-token-claims"
        case .confirmationKey: "gate-token-key"
        case .otherIssuer: "gate-token-issuer"
        case .signature: "gate-token-signature"
        case .notYetValid: "gate-token-not-yet-valid"
        case .expired: "gate-token-expired"
        }
    }

    /// One English sentence for people.
    public var message: String {
        switch self {
        case .tooLong: "The gate's credential is longer than \(GateToken.longest) bytes."
        case .structure(let error): error.message
        case .header: "The headers are not those of a gate's credential."
        case .claims: "The claims are not those of a gate's credential."
        case .confirmationKey: "The key in the gate's credential is not valid."
        case .otherIssuer: "The gate's credential is of another gate issuer or another site."
        case .signature: "The gate's credential was not signed by the gate issuer."
        case .notYetValid: "The gate's credential is not valid yet."
        case .expired: "The gate's credential has expired."
        }
    }
}
