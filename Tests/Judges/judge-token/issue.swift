import Credentials
import Cryptography
import Encoding

/// A token of ours, by a new issuer key for a new phone key: `subject`, `audience` and `scope` are
/// given; the answer has the token and the issuer's key.
func issue(_ request: JSON) throws -> JSON {
    guard let subject = request["subject"]?.string, let audience = request["audience"]?.string,
          let scope = request["scope"]?.string else { throw TokenCase.Incomplete() }
    let issuer = try SigningKey.generate(), phone = try SigningKey.generate()
    let claims = TokenClaims(
        issuer: "issuer-1", subject: subject, audiences: [audience], notBefore: 1_000, expiresAt: 4_000_000_000,
        issuedAt: 2_000, cti: [7, 8], confirmationKey: COSEKey(key: phone.publicKey),
        scope: scope.split(separator: " ").map(String.init))
    let token = try Token.issue(claims, keyIdentifier: Array("issuer-1".utf8), key: issuer)
    return ["token": .string(Hex.encode(token.raw)), "identifier": .string(token.identifier.description),
            "x": .string(Hex.encode(issuer.publicKey.x)), "y": .string(Hex.encode(issuer.publicKey.y ?? [])),
            "phone": .string(Hex.encode(phone.publicKey.x)), "thumbprint": .string(Hex.encode(phone.publicKey.thumbprint))]
}
