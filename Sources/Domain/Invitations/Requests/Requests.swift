import Cryptography
import Encoding

/// What a page asks before it makes a key: what the code is for. It uses nothing up.
public struct BeginRequest: Hashable, Sendable {
    /// The code of the link.
    public let code: InvitationCode

    /// A request.
    public init(code: InvitationCode) { self.code = code }

    /// Reads the body of a request.
    public init(json bytes: [UInt8]) throws(InvitationFault) { code = try RequestBody(bytes, members: ["code"]).code() }

    /// The body.
    public var json: JSON { ["code": .string(code.text)] }
}

/// Asks for the invitation of a code, for a key.
public struct RedeemRequest: Hashable, Sendable {
    /// The code of the link.
    public let code: InvitationCode
    /// The phone's key: on P-256, and not one that everybody has.
    public let key: PublicKey
    /// What the server gave.
    public let nonce: NonceText
    /// The phone's clock, UNIX seconds.
    public let time: Int64
    /// Over the statement, 64 bytes.
    public let signature: [UInt8]
    /// Certificates in DER, the key's own first; nil where the phone has no attestation.
    public let attestation: [[UInt8]]?

    /// A request, signed by the key.
    public init(code: InvitationCode, key: SigningKey, nonce: NonceText, origin: String, time: Int64, attestation: [[UInt8]]? = nil)
        throws(CryptographyError) {
        (self.code, self.key, self.nonce, self.time, self.attestation) = (code, key.publicKey, nonce, time, attestation)
        signature = try Statement.redeem(origin: origin, key: key.publicKey, nonce: nonce, code: code, time: time).signature(by: key)
    }

    /// Reads the body of a request.
    public init(json bytes: [UInt8]) throws(InvitationFault) {
        let body = try RequestBody(bytes, members: ["code", "key", "nonce", "time", "signature", "attestation"])
        code = try body.code()
        key = try body.key()
        nonce = try body.nonce()
        time = try body.time()
        signature = try body.signature()
        attestation = try body.attestation()
    }

    /// The body, with the key as a JWK.
    public var json: JSON {
        var object = SignedMembers.object(key: key, nonce: nonce, time: time, signature: signature)
        object["code"] = .string(code.text)
        if let attestation { object["attestation"] = .array(attestation.map { .string(Base64.encode($0, .url)) }) }
        return .object(object)
    }

    /// What the phone must have signed, for a server of this origin.
    public func statement(origin: String) -> Statement { .redeem(origin: origin, key: key, nonce: nonce, code: code, time: time) }
}

/// Asks for another token for a key that has an invitation.
public struct RenewRequest: Hashable, Sendable {
    /// The phone's key.
    public let key: PublicKey
    /// What the server gave.
    public let nonce: NonceText
    /// The phone's clock, UNIX seconds.
    public let time: Int64
    /// Over the statement, 64 bytes.
    public let signature: [UInt8]

    /// A request, signed by the key.
    public init(key: SigningKey, nonce: NonceText, origin: String, time: Int64) throws(CryptographyError) {
        (self.key, self.nonce, self.time) = (key.publicKey, nonce, time)
        signature = try Statement.renew(origin: origin, key: key.publicKey, nonce: nonce, time: time).signature(by: key)
    }

    /// Reads the body of a request.
    public init(json bytes: [UInt8]) throws(InvitationFault) {
        let body = try RequestBody(bytes, members: ["key", "nonce", "time", "signature"])
        key = try body.key()
        nonce = try body.nonce()
        time = try body.time()
        signature = try body.signature()
    }

    /// The body, with the key as a JWK.
    public var json: JSON { .object(SignedMembers.object(key: key, nonce: nonce, time: time, signature: signature)) }

    /// What the phone must have signed, for a server of this origin.
    public func statement(origin: String) -> Statement { .renew(origin: origin, key: key, nonce: nonce, time: time) }
}

/// What all signed requests have.
private enum SignedMembers {
    static func object(key: PublicKey, nonce: NonceText, time: Int64, signature: [UInt8]) -> JSONObject {
        let jwk: JSON = [
            "kty": "EC", "crv": "P-256", "x": .string(Base64.encode(key.x, .url)), "y": .string(Base64.encode(key.y ?? [], .url))
        ]
        return [
            "key": jwk, "nonce": .string(nonce.text), "time": .string(UTCText.make(seconds: time)),
            "signature": .string(Base64.encode(signature, .url))
        ]
    }
}
