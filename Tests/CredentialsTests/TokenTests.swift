import Credentials
import Cryptography
import Encoding
import Testing

@Suite struct TokenTests {
    let fixture: TokenFixture
    init() throws { fixture = try TokenFixture() }

    @Test func claimsComeBack() throws {
        var claims = fixture.claims
        claims.audiences = ["tapstile:hq", "tapstile:other"]
        claims.scope = ["tokn", "hold"]
        claims.issuedAt = 5
        claims.userVerification = true
        claims.confirmationKey = COSEKey(key: fixture.phoneKey.publicKey, keyIdentifier: [1], use: .sign)
        let token = try Token.issue(claims, keyIdentifier: [9], key: fixture.issuerKey)
        #expect(token.claims == claims)
        #expect(token.issuer == "issuer-1")
        #expect(token.subject == "alice")
        #expect(token.audiences == ["tapstile:hq", "tapstile:other"])
        #expect(token.notBefore == claims.notBefore)
        #expect(token.expiresAt == claims.expiresAt)
        #expect(token.issuedAt == 5)
        #expect(token.identifierClaim == [1, 2, 3])
        #expect(token.confirmationKey == fixture.phoneKey.publicKey)
        #expect(token.confirmationKeyUse == .sign)
        #expect(token.scope == ["tokn", "hold"])
        #expect(token.userVerification)
        #expect(token.isSigned(by: fixture.issuerKey.publicKey))
    }

    /// A token of two small claims fits a tap by value easily (phone-protocol: 580 bytes at most).
    @Test func aPlainTokenIsShort() throws { #expect(try fixture.token().raw.count < 230) }

    @Test func defaultsAreLeftOut() throws {
        let claims = try CBOR.decode(COSESign1(parsing: fixture.token().raw).payload)
        #expect(claims.map?.keys == [1, 2, 3, 4, 5, 7, 8])
        #expect(claims[3]?.text == "tapstile:hq/lobby")
        #expect(try fixture.token().scope == ["tokn"])
    }

    @Test func identifierIsTheHashOfWhatIsSigned() throws {
        let token = try fixture.token()
        let signed = try COSESign1(parsing: token.raw)
        #expect(token.identifier.bytes == SHA256.hash(signed.toBeSigned()))
        #expect(token.identifier.reference == Array(token.identifier.bytes.prefix(8)))
        #expect(token.identifier.description == Hex.encode(token.identifier.bytes))
        #expect(TokenIdentifier(token.identifier.bytes) == token.identifier)
        #expect(TokenIdentifier([1]) == nil)
    }

    /// Anybody can replace s by n − s. It verifies, and it is the same token.
    @Test func theOtherSIsTheSameToken() throws {
        let token = try fixture.token()
        var raw = token.raw
        raw.replaceSubrange((raw.count - 32)..., with: try complement(Array(raw.suffix(32))))
        #expect(raw != token.raw)
        let other = try Token(parsing: raw)
        #expect(other.isSigned(by: fixture.issuerKey.publicKey))
        #expect(other.identifier == token.identifier)
        #expect(other.revocations == token.revocations)
        #expect(other.raw == raw)
    }

    /// Anybody can add a `kid`. It is the same token.
    @Test func anAddedKeyIdentifierIsTheSameToken() throws {
        let token = try fixture.token()
        let other = try Token(parsing: try changed(token) { $0[1] = [4: .bytes([1, 2])] })
        #expect(other.isSigned(by: fixture.issuerKey.publicKey))
        #expect(other.identifier == token.identifier)
    }

    @Test func anyOtherUnprotectedHeaderIsMalformed() throws {
        let token = try fixture.token()
        for header: CBOR in [[5: .bytes([1])], [4: "kid"], [4: .bytes([1]), 5: 1], ["x": 1], [-65537: 1]] {
            #expect(throws: TokenError.unprotectedHeader) { try Token(parsing: try changed(token) { $0[1] = header }) }
        }
    }

    /// The same claims issued again are another token: revoking one leaves the other. (ES256 is not
    /// deterministic, but it is the number of the token that makes the difference.)
    @Test func issuedAgainIsAnotherToken() throws {
        let token = try fixture.token()
        var claims = fixture.claims
        claims.cti = [1, 2, 4]
        let again = try Token.issue(claims, key: fixture.issuerKey)
        #expect(again.identifier != token.identifier)
        #expect(try fixture.token().identifier == token.identifier)
    }

    @Test func everyChangedBitIsMalformedOrBadlySigned() throws {
        let token = try fixture.token()
        for bit in 0..<(token.raw.count * 8) {
            var raw = token.raw
            raw[bit / 8] ^= 1 << (bit % 8)
            let changed = try? Token(parsing: raw)
            #expect(changed?.isSigned(by: fixture.issuerKey.publicKey) != true, "bit \(bit)")
        }
    }

    @Test func everyShorterOrLongerTokenIsMalformed() throws {
        let raw = try fixture.token().raw
        for length in 0..<raw.count { #expect(throws: TokenError.self) { try Token(parsing: Array(raw.prefix(length))) } }
        #expect(throws: TokenError.self) { try Token(parsing: raw + [0]) }
        #expect(throws: TokenError.tooLong) { try Token(parsing: raw + [UInt8](repeating: 0, count: Token.longest)) }
    }

    /// A message is read under looser rules than a token inside it.
    @Test func aTokenThatWasReadWithItsMessageIsReadAlikeAndNoMore() throws {
        let raw = try fixture.token().raw
        let item = try CBOR.decode(raw, rules: .wellFormed)
        #expect(try Token(decoded: item, raw: raw) == Token(parsing: raw))
        // The head of the array, in two bytes instead of one.
        let longer: [UInt8] = [0x98, 0x04] + Array(raw.dropFirst())
        let same = try CBOR.decode(longer, rules: .wellFormed)
        #expect(same == item)
        let wrongForm = TokenError.structure(.notCBOR(CBORError(.notShortest, at: 0)))
        #expect(throws: wrongForm) { try Token(decoded: same, raw: longer) }
        let long = [UInt8](repeating: 0, count: Token.longest + 1)
        #expect(throws: TokenError.tooLong) { try Token(decoded: item, raw: long) }
    }

    @Test func revocationsOfAToken() throws {
        let token = try fixture.token()
        #expect(token.revocations == [.token(token.identifier), .issued(issuer: "issuer-1", cti: [1, 2, 3]), .subject("alice"),
                                      .key(thumbprint: fixture.phoneKey.publicKey.thumbprint), .suspended("alice"), .issuer("issuer-1")])
        let question = TrustQuestion(about: .token(token))
        #expect(question.issuer == "issuer-1")
        #expect(question.revocations == token.revocations)
        #expect(question.enrolled == .none)
    }

    @Test func questionsAboutEnrolledKeys() throws {
        let credential = ConfirmedKeyCredential(key: COSEKey(key: fixture.phoneKey.publicKey))
        #expect(TrustQuestion(about: .keyIdentifier([1])).enrolled == .keyIdentifier([1]))
        #expect(TrustQuestion(about: .key(credential)).enrolled == .thumbprint(fixture.phoneKey.publicKey.thumbprint))
        #expect(TrustQuestion(about: .key(credential)).issuer == nil)
    }

    private func changed(_ token: Token, _ change: (inout [CBOR]) -> Void) throws -> [UInt8] {
        var parts = try #require(CBOR.decode(token.raw).array)
        change(&parts)
        return CBOR.array(parts).encoded
    }

    /// n − s for the order n of P-256 (SEC 2, 2.4.2).
    private func complement(_ s: [UInt8]) throws -> [UInt8] {
        let order = try hex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
        var borrow = 0
        var result = order
        for index in order.indices.reversed() {
            let difference = Int(order[index]) - Int(s[index]) - borrow
            borrow = difference < 0 ? 1 : 0
            result[index] = UInt8(truncatingIfNeeded: difference)
        }
        return result
    }
}
