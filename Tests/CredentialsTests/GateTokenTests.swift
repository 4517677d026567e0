import Credentials
import Cryptography
import Encoding
import Testing

/// A gate's credential by value.
@Suite struct GateTokenTests {
    static let now: Int64 = 1_800_000_000
    let issuerKey: SigningKey
    let gateKey: SigningKey
    let issuer: GateIssuer
    var claims: GateTokenClaims

    init() throws {
        issuerKey = try SigningKey.generate()
        gateKey = try SigningKey.generate()
        issuer = GateIssuer(site: "hq", name: "hq-gates", key: issuerKey.publicKey)
        claims = GateTokenClaims(issuer: "hq-gates", site: "hq", notBefore: Self.now - 10, expiresAt: Self.now + 10, cti: [7, 8],
                                 confirmationKey: COSEKey(key: gateKey.publicKey, use: .sign))
    }

    @Test func whatTheGateIssuerSignedIsAGate() throws {
        let token = try GateToken.issue(claims, key: issuerKey)
        let read = try GateToken(parsing: token.raw)
        #expect(read.claims == claims)
        try read.verify(by: issuer, at: Self.now)
        try read.verify(by: issuer, at: nil)
        #expect(token.raw.count < 230, "message_2 carries it")
        let header = try #require(CBOR.decode(COSESign1(parsing: token.raw).protectedBytes).map)
        #expect(header == [1: -7, 16: "tapstile-gate"])
    }

    @Test func aKeyThatAgreesIsAGateToo() throws {
        var claims = claims
        claims.confirmationKey = COSEKey(key: try AgreementKey.generate(.p256).publicKey, use: .agree)
        #expect(try GateToken.issue(claims, key: issuerKey).claims.confirmationKey.use == .agree)
    }

    @Test func timesAreHeldAgainstTheClock() throws {
        let token = try GateToken.issue(claims, key: issuerKey)
        #expect(throws: GateTokenError.notYetValid(since: Self.now - 10)) { try token.verify(by: issuer, at: Self.now - 11) }
        #expect(throws: Never.self) { try token.verify(by: issuer, at: Self.now - 10) }
        #expect(throws: Never.self) { try token.verify(by: issuer, at: Self.now + 9) }
        #expect(throws: GateTokenError.expired(at: Self.now + 10)) { try token.verify(by: issuer, at: Self.now + 10) }
    }

    @Test func anotherIssuerMakesNoGateHere() throws {
        let token = try GateToken.issue(claims, key: issuerKey)
        let others = [GateIssuer(site: "hq", name: "hq-gatez", key: issuer.key), GateIssuer(site: "hr", name: "hq-gates", key: issuer.key)]
        for other in others { #expect(throws: GateTokenError.otherIssuer) { try token.verify(by: other, at: nil) } }
        let stranger = GateIssuer(site: "hq", name: "hq-gates", key: gateKey.publicKey)
        #expect(throws: GateTokenError.signature) { try token.verify(by: stranger, at: nil) }
    }

    @Test func theIssuerItselfIsNoGate() throws {
        var claims = claims
        claims.confirmationKey = COSEKey(key: issuerKey.publicKey, use: .sign)
        let token = try GateToken.issue(claims, key: issuerKey)
        #expect(throws: GateTokenError.confirmationKey) { try token.verify(by: issuer, at: nil) }
    }

    /// V3: whoever signed it, and with whatever key.
    @Test func aPersonsTokenIsNoGateAndAGateNoPerson() throws {
        let gate = try GateToken.issue(claims, key: issuerKey)
        #expect(throws: TokenError.type) { try Token(parsing: gate.raw) }
        let person = try Token.issue(
            TokenClaims(issuer: "hq-gates", subject: "hq", audiences: ["tapstile:hq"], notBefore: claims.notBefore,
                        expiresAt: claims.expiresAt, cti: [1], confirmationKey: claims.confirmationKey), key: issuerKey)
        #expect(throws: GateTokenError.header) { try GateToken(parsing: person.raw) }
    }

    /// A gate issuer that puts a person's claims under a gate's header, or a gate's under a person's, makes neither.
    @Test func aMixtureIsNeither() throws {
        let type: CBORMap = [16: "tapstile-gate"]
        let person = try #require(CBOR.decode(COSESign1(parsing: GateToken.issue(claims, key: issuerKey).raw).payload).map)
        for label: CBOR in [3, 6, 9, -65537, "x"] {
            var more = person
            more[label] = label == 3 ? "tapstile:hq" : 1
            let raw = try COSESign1.sign(payload: CBOR.map(more).encoded, protected: type, key: issuerKey).encoded
            #expect(throws: GateTokenError.claims) { try GateToken(parsing: raw) }
            #expect(throws: TokenError.type) { try Token(parsing: raw) }
        }
        let plain = try COSESign1.sign(payload: CBOR.map(person).encoded, key: issuerKey).encoded
        #expect(throws: GateTokenError.header) { try GateToken(parsing: plain) }
        #expect(throws: TokenError.claim(label: 3)) { try Token(parsing: plain) }
    }

    @Test func everyClaimIsNeededAndHasItsType() throws {
        let whole = try #require(CBOR.decode(COSESign1(parsing: GateToken.issue(claims, key: issuerKey).raw).payload).map)
        for key in whole.keys {
            for value in [nil, CBOR.text(""), .negative(0), .bytes([]), .array([])] as [CBOR?] {
                var changed = whole
                changed[key] = value
                let raw = try signed(changed)
                #expect(throws: GateTokenError.self, "\(key) = \(String(describing: value))") { try GateToken(parsing: raw) }
            }
        }
    }

    @Test func aKeyThatDoesNotSayWhatItIsForIsNoGatesKey() throws {
        var claims = claims
        claims.confirmationKey = COSEKey(key: gateKey.publicKey)
        #expect(throws: GateTokenError.confirmationKey) { try GateToken.issue(claims, key: issuerKey) }
    }

    @Test func nothingIsInTheUnprotectedHeader() throws {
        let token = try GateToken.issue(claims, key: issuerKey)
        var parts = try #require(CBOR.decode(token.raw).array)
        parts[1] = [4: .bytes([1])]
        let raw = CBOR.array(parts).encoded
        #expect(throws: GateTokenError.header) { try GateToken(parsing: raw) }
    }

    @Test func everyChangedBitIsRefused() throws {
        let raw = try GateToken.issue(claims, key: issuerKey).raw
        for bit in 0..<(raw.count * 8) {
            var changed = raw
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: GateTokenError.self, "bit \(bit)") { try GateToken(parsing: changed).verify(by: issuer, at: Self.now) }
        }
        for length in 0..<raw.count { #expect(throws: GateTokenError.self) { try GateToken(parsing: Array(raw.prefix(length))) } }
        #expect(throws: GateTokenError.tooLong) { try GateToken(parsing: raw + [UInt8](repeating: 0, count: 512)) }
    }

    /// An X25519 key signs nothing, and a key on another curve issues no gate.
    @Test func onlyES256Issues() throws {
        #expect(throws: GateTokenError.header) { try GateToken.issue(claims, key: SigningKey.generate(.ed25519)) }
    }

    private func signed(_ claims: CBORMap) throws -> [UInt8] {
        try COSESign1.sign(payload: CBOR.map(claims).encoded, protected: [16: "tapstile-gate"], key: issuerKey).encoded
    }
}
