import Cryptography
import Encoding

/// A token: a CWT (RFC 8392) in an untagged COSE_Sign1, signed with ES256, with a proof-of-possession
/// key (RFC 8747). Reading checks the form only; whether it is true is for `Verification`.
///
/// A token has one form only, apart from two changes that anybody can make without the issuer:
/// s may be replaced by n − s, and a `kid` may be added to or taken from the unprotected header. Both
/// leave `identifier` as it is, so that revocation, cooldown and journal see the same token. Any
/// other unprotected header is malformed.
public struct Token: Hashable, Sendable {
    /// The bytes as received: EDHOC hashes them.
    public let raw: [UInt8]
    /// What names this token, see `TokenIdentifier`.
    public let identifier: TokenIdentifier
    /// What the token says.
    public let claims: TokenClaims
    /// r || s, 64 bytes.
    let signature: [UInt8]

    /// The longest token that is read, in bytes. What still fits into a tap is less (580).
    public static let longest = 1024

    /// Reads a token in its one form, all of whose names are names (`NameRule`).
    public init(parsing raw: [UInt8]) throws(TokenError) {
        self = try Token(parsingWithAnyNames: raw).named()
    }

    /// The same from an item that was decoded already under whichever rules, and from which bytes.
    public init(decoded item: CBOR, raw: [UInt8]) throws(TokenError) {
        // What is not in its one form is read again, which says what is wrong with it.
        guard raw.count <= Self.longest, item.isEncoded(as: raw) else {
            self = try Token(parsing: raw)
            return
        }
        let signed: COSESign1
        do throws(COSEError) { signed = try COSESign1(cbor: item) } catch { throw .structure(error) }
        self = try Token(signed, raw: raw).named()
    }

    /// The token, if all its names are names.
    private func named() throws(TokenError) -> Token {
        if let (label, flaw) = claims.nameFlaw { throw .name(label: label, flaw) }
        return self
    }

    /// Reads a token whatever it calls people: one of a record from before names were looked at.
    public init(parsingWithAnyNames raw: [UInt8]) throws(TokenError) {
        guard raw.count <= Self.longest else { throw .tooLong }
        let signed: COSESign1
        do throws(COSEError) { signed = try COSESign1(parsing: raw) } catch { throw .structure(error) }
        try self.init(signed, raw: raw)
    }

    private init(_ signed: COSESign1, raw: [UInt8]) throws(TokenError) {
        guard signed.protected[COSEHeader.algorithm]?.integer == Int64(SignatureAlgorithm.es256.rawValue) else {
            throw .algorithm
        }
        guard Self.isToken(signed.protected[COSEHeader.type]) else { throw .type }
        guard signed.unprotected.allSatisfy({ $0.key == COSEHeader.keyIdentifier && $0.value.bytes != nil }) else {
            throw .unprotectedHeader
        }
        guard signed.signature.count == SignatureAlgorithm.signatureLength else { throw .signatureLength }
        let payload: CBOR
        do throws(CBORError) { payload = try CBOR.decode(signed.payload) } catch { throw .claims }
        claims = try TokenClaims(cbor: payload)
        identifier = TokenIdentifier(digest: SHA256.hash(signed.toBeSigned()))
        signature = signed.signature
        self.raw = raw
    }

    /// What says of itself that it is something else than a CWT (RFC 9596), such as a gate's credential, is no
    /// token. CWT is 61 as a content format (RFC 8392, 9.3).
    private static func isToken(_ type: CBOR?) -> Bool {
        guard let type else { return true }
        return type == 61 || type.text == "cwt" || type.text == "application/cwt"
    }

    /// Issues a token. Throws if the claims would not be read back as they are, or the key does not sign ES256.
    public static func issue(_ claims: TokenClaims, keyIdentifier: [UInt8]? = nil,
                             key: SigningKey) throws(TokenError) -> Token {
        guard key.algorithm == .es256 else { throw .algorithm }
        var unprotected = CBORMap()
        if let keyIdentifier { unprotected[COSEHeader.keyIdentifier] = .bytes(keyIdentifier) }
        let signed: COSESign1
        do throws(COSEError) {
            signed = try COSESign1.sign(payload: claims.cbor.encoded, unprotected: unprotected, key: key)
        } catch {
            throw .structure(error)
        }
        let token = try Token(parsing: signed.encoded)
        guard token.claims == claims else { throw .claims }
        return token
    }

    /// The same token for keeping: without what libcrypto has made of its key for a proof.
    var unprepared: Token { Token(copying: self) }

    private init(copying token: Token) {
        var claims = token.claims
        let key = claims.confirmationKey
        claims.confirmationKey = COSEKey(key: key.key.unprepared, keyIdentifier: key.keyIdentifier, use: key.use)
        raw = token.raw
        identifier = token.identifier
        self.claims = claims
        signature = token.signature
    }

    /// Whether the token was signed by `key`. The identifier is the hash that was signed, so that
    /// nothing is hashed again.
    public func isSigned(by key: PublicKey) -> Bool {
        key.verify(signature, overDigest: identifier.bytes)
    }
}

/// The claims, for those who hold a token.
extension Token {
    /// `iss`.
    public var issuer: String { claims.issuer }
    /// `sub`.
    public var subject: String { claims.subject }
    /// `aud`.
    public var audiences: [String] { claims.audiences }
    /// `nbf`, UNIX seconds.
    public var notBefore: Int64 { claims.notBefore }
    /// `exp`, UNIX seconds.
    public var expiresAt: Int64 { claims.expiresAt }
    /// `iat`, UNIX seconds.
    public var issuedAt: Int64? { claims.issuedAt }
    /// `cti`.
    public var identifierClaim: [UInt8] { claims.cti }
    /// `cnf`.
    public var confirmationKey: PublicKey { claims.confirmationKey.key }
    /// What the confirmation key is for, if the token tells.
    public var confirmationKeyUse: KeyUse? { claims.confirmationKey.use }
    /// The commands of the token.
    public var scope: [String] { claims.scope }
    /// Whether the key is released only after user verification.
    public var userVerification: Bool { claims.userVerification }
}

/// What names one issued token: SHA-256 of its Sig_structure, 32 bytes. It does not change when
/// somebody adds an unprotected header or replaces s by n − s; a token issued again has another.
public struct TokenIdentifier: Hashable, Sendable, CustomStringConvertible {
    /// The 32 bytes.
    public let bytes: [UInt8]

    /// Length in bytes.
    public static let length = 32
    /// How many of its bytes a phone sends to present a token by reference.
    public static let referenceLength = 8

    /// An identifier from its 32 bytes; nil for any other number.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    init(digest: [UInt8]) { bytes = digest }

    /// What a phone sends as `kid` to present the token by reference.
    public var reference: [UInt8] { Array(bytes.prefix(Self.referenceLength)) }

    /// Hexadecimal.
    public var description: String { Hex.encode(bytes) }
}
