import Credentials
import Cryptography
import Encoding
import Vocabulary

/// No input stops the readers of COSE, CWT and keys; a token has one form, apart from the two changes
/// that leave its identifier as it is.
func fuzz(_ input: [UInt8]) {
    token(input)
    if let credential = try? ConfirmedKeyCredential(parsing: input) { key(credential.key) }
    if let item = try? CBOR.decode(input, rules: .wellFormed), let found = try? COSEKey(cbor: item) { key(found) }
    if let signed = try? COSESign1(parsing: input, rules: .wellFormed, allowsTag: true) {
        let again = try? COSESign1(parsing: signed.encoded, rules: .wellFormed)
        precondition(again == signed, "a signed structure is read as written")
    }
}

private func token(_ input: [UInt8]) {
    guard let token = try? Token(parsing: input) else { return }
    precondition(token.raw == input, "EDHOC hashes the bytes as received")
    guard let signed = try? COSESign1(parsing: input) else { preconditionFailure("a token is a COSE_Sign1") }
    precondition(token.identifier.bytes == SHA256.hash(signed.toBeSigned()), "the identifier is the hash that is signed")
    precondition(!token.scope.isEmpty && !token.audiences.isEmpty, "a token allows something somewhere")
    key(token.claims.confirmationKey)
    withoutHeader(token)
    verify(token)
}

/// The token without its unprotected header is the same token.
private func withoutHeader(_ token: Token) {
    guard var parts = (try? CBOR.decode(token.raw))?.array, parts.count == 4 else { preconditionFailure("four parts") }
    parts[1] = .map([:])
    let bare = try? Token(parsing: CBOR.array(parts).encoded)
    precondition(bare?.identifier == token.identifier && bare?.claims == token.claims, "a kid changes nothing")
}

/// Nobody signed it for this issuer, so that nothing is ever verified.
private func verify(_ token: Token) {
    let issuer = TokenIssuer(name: token.issuer, key: token.confirmationKey)
    let answer = TrustAnswer(issuer: issuer, isRevoked: true, enrolled: [], generation: 1, publicationIssuedAt: .min)
    let result = Verification.verify(token: token, answer: answer, clock: ClockReading(seconds: .max, trust: .synchronised),
                                     place: Place(site: "a", zone: nil, lane: "b"), command: "tokn")
    guard case .refused = result else { preconditionFailure("a revoked token is refused") }
}

/// What was read is a point of its curve, and is written so that it is read again.
private func key(_ key: COSEKey) {
    precondition((try? COSEKey(cbor: key.cbor)) == key, "a key is read as written")
    precondition(key.key.thumbprint.count == SHA256.length, "a key has a thumbprint")
}
