import Credentials
import Cryptography
import Testing
import Vocabulary

@Suite struct VerificationTests {
    @Test func goodTokenIsVerified() throws {
        let fixture = try TokenFixture()
        let token = try fixture.token()
        let result = Verification.verify(token: token, answer: fixture.answer, clock: fixture.clock,
                                         place: fixture.place, command: "tokn")
        guard case .verified(let credential) = result else { Issue.record("\(result)"); return }
        #expect(credential.subject == "alice")
        #expect(credential.kind == .token(token.identifier, issuer: "issuer-1"))
        #expect(credential.identifier == token.identifier.bytes)
        #expect(credential.generation == 7)
        #expect(!credential.userVerification)
    }

    @Test func noSiteData() throws {
        var fixture = try TokenFixture()
        fixture.answer = .absent
        #expect(try fixture.verify() == .refused(.noSiteData))
    }

    @Test func unknownIssuer() throws {
        var fixture = try TokenFixture()
        fixture.answer = fixture.answer(issuer: nil)
        #expect(try fixture.verify() == .refused(.unknownIssuer))
    }

    /// A store that answers with another issuer than the one asked for grants nothing.
    @Test func issuerOfAnotherName() throws {
        var fixture = try TokenFixture()
        fixture.answer = fixture.answer(issuer: TokenIssuer(name: "issuer-2", key: fixture.issuerKey.publicKey))
        #expect(try fixture.verify() == .refused(.unknownIssuer))
    }

    @Test func anIssuerWhoseKeyEverybodyHasIssuesNothing() throws {
        var fixture = try TokenFixture()
        let everybodys = try SigningKey(rawPrivate: [UInt8](repeating: 0, count: 31) + [1], curve: .p256)
        fixture.answer = fixture.answer(issuer: TokenIssuer(name: "issuer-1", key: everybodys.publicKey))
        let token = try Token.issue(fixture.claims, key: everybodys)
        #expect(Verification.verify(token: token, answer: fixture.answer, clock: fixture.clock, place: fixture.place, command: "tokn") == .refused(.unknownIssuer))
    }

    @Test func aTokenForAKeyThatEverybodyHasOpensNothing() throws {
        var fixture = try TokenFixture()
        let everybodys = try SigningKey(rawPrivate: [UInt8](repeating: 0, count: 31) + [1], curve: .p256).publicKey
        fixture.claims = TokenClaims(issuer: "issuer-1", subject: "alice", audiences: ["tapstile:hq/lobby"], notBefore: TokenFixture.now - 100,
                                     expiresAt: TokenFixture.now + 100, cti: [1, 2, 3], confirmationKey: COSEKey(key: everybodys))
        #expect(try fixture.verify() == .refused(.keyWellKnown))
    }

    @Test func badSignature() throws {
        var fixture = try TokenFixture()
        fixture.answer = try fixture.answer(issuer: TokenIssuer(name: "issuer-1", key: SigningKey.generate().publicKey))
        #expect(try fixture.verify() == .refused(.badSignature))
    }

    @Test func clockUntrusted() throws {
        var fixture = try TokenFixture()
        fixture.clock = ClockReading(seconds: TokenFixture.now, trust: .untrusted)
        #expect(try fixture.verify() == .refused(.clockUntrusted))
        fixture.clock = ClockReading(seconds: TokenFixture.now, trust: .holdover(ageSeconds: 5))
        #expect(try fixture.verify() != .refused(.clockUntrusted))
    }

    @Test func siteDataStale() throws {
        var fixture = try TokenFixture()
        let issuer = fixture.answer.issuer
        fixture.answer = fixture.answer(issuer: issuer, issuedAt: TokenFixture.now - 30 * 86400 - 1)
        #expect(try fixture.verify() == .refused(.siteDataStale))
        fixture.answer = fixture.answer(issuer: issuer, issuedAt: TokenFixture.now - 30 * 86400)
        #expect(try fixture.verify() != .refused(.siteDataStale))
        fixture.answer = fixture.answer(issuer: issuer, issuedAt: nil)
        #expect(try fixture.verify() == .refused(.siteDataStale))
    }

    @Test func aClockThatWasPutBackMakesNoDataFresh() throws {
        var fixture = try TokenFixture()
        fixture.answer.servedSeconds = 30 * 86400
        guard case .verified = try fixture.verify() else { Issue.record("not verified"); return }
        fixture.answer.servedSeconds += 1
        #expect(try fixture.verify() == .refused(.siteDataStale))
    }

    @Test func notYetValid() throws {
        var fixture = try TokenFixture()
        fixture.claims.notBefore = TokenFixture.now + 1
        #expect(try fixture.verify() == .refused(.notYetValid))
        fixture.claims.notBefore = TokenFixture.now
        #expect(try fixture.verify() != .refused(.notYetValid))
    }

    @Test func expired() throws {
        var fixture = try TokenFixture()
        fixture.claims.expiresAt = TokenFixture.now
        #expect(try fixture.verify() == .refused(.expired))
        fixture.claims.expiresAt = TokenFixture.now + 1
        #expect(try fixture.verify() != .refused(.expired))
    }

    @Test(arguments: ["tapstile:hq", "tapstile:hq/lobby", "tapstile:hq/lobby/main"])
    func audiencesCoverWhatLiesBelow(_ audience: String) throws {
        var fixture = try TokenFixture()
        fixture.claims.audiences = ["somewhere else", audience]
        #expect(try fixture.verify() != .refused(.wrongAudience))
    }

    @Test(arguments: ["hq", "tapstile:", "tapstile:HQ", "tapstile:h", "tapstile:hq/", "tapstile:hq/lobb", "tapstile:hq/lobby/",
                      "tapstile:hq/lobby/side", "tapstile:hq/lobby/main/x", "tapstile:hq/garage", "tapstile:hq/-/main", "*"])
    func wrongAudience(_ audience: String) throws {
        var fixture = try TokenFixture()
        fixture.claims.audiences = [audience]
        #expect(try fixture.verify() == .refused(.wrongAudience))
    }

    @Test func laneWithoutZone() throws {
        var fixture = try TokenFixture()
        fixture.place = Place(site: "hq", zone: nil, lane: "main")
        fixture.claims.audiences = ["tapstile:hq/-/main"]
        #expect(try fixture.verify() != .refused(.wrongAudience))
        fixture.claims.audiences = ["tapstile:hq/main"]
        #expect(try fixture.verify() == .refused(.wrongAudience))
    }

    @Test func scopeLacksCommand() throws {
        var fixture = try TokenFixture()
        #expect(try fixture.verify(command: "hold") == .refused(.scopeLacksCommand))
        fixture.claims.scope = ["hold", "open"]
        #expect(try fixture.verify(command: "hold") != .refused(.scopeLacksCommand))
        #expect(try fixture.verify(command: "tokn") == .refused(.scopeLacksCommand))
        #expect(try fixture.verify(command: "hol") == .refused(.scopeLacksCommand))
    }

    @Test func revoked() throws {
        var fixture = try TokenFixture()
        fixture.answer = fixture.answer(issuer: fixture.answer.issuer, isRevoked: true)
        #expect(try fixture.verify() == .refused(.revoked))
    }

    /// Names are compared byte by byte: é is not e with an accent.
    @Test func namesAreBytes() throws {
        var fixture = try TokenFixture()
        fixture.claims.scope = ["caf\u{E9}"]
        #expect(try fixture.verify(command: "cafe\u{301}") == .refused(.scopeLacksCommand))
        #expect(try fixture.verify(command: "caf\u{E9}") != .refused(.scopeLacksCommand))
        fixture.claims.issuer = "caf\u{E9}"
        fixture.answer = fixture.answer(issuer: TokenIssuer(name: "cafe\u{301}", key: fixture.issuerKey.publicKey))
        #expect(try fixture.verify() == .refused(.unknownIssuer))
    }

    /// A token with every fault at once reports the first; fixed one by one, the next.
    @Test func firstFaultIsReported() throws {
        var fixture = try TokenFixture()
        let issuer = fixture.answer.issuer
        let stranger = try TokenIssuer(name: "issuer-1", key: SigningKey.generate().publicKey)
        fixture.claims.notBefore = TokenFixture.now + 10
        fixture.claims.expiresAt = TokenFixture.now - 10
        fixture.claims.audiences = ["tapstile:elsewhere"]
        fixture.claims.scope = ["hold"]
        fixture.clock = ClockReading(seconds: TokenFixture.now, trust: .untrusted)
        fixture.answer = fixture.answer(issuer: nil, isRevoked: true, generation: 0, issuedAt: 0)
        #expect(try fixture.verify() == .refused(.noSiteData))
        fixture.answer = fixture.answer(issuer: nil, isRevoked: true, issuedAt: 0)
        #expect(try fixture.verify() == .refused(.unknownIssuer))
        fixture.answer = fixture.answer(issuer: stranger, isRevoked: true, issuedAt: 0)
        #expect(try fixture.verify() == .refused(.badSignature))
        fixture.answer = fixture.answer(issuer: issuer, isRevoked: true, issuedAt: 0)
        #expect(try fixture.verify() == .refused(.clockUntrusted))
        fixture.clock = ClockReading(seconds: TokenFixture.now, trust: .synchronised)
        #expect(try fixture.verify() == .refused(.siteDataStale))
        fixture.answer = fixture.answer(issuer: issuer, isRevoked: true)
        #expect(try fixture.verify() == .refused(.notYetValid))
        fixture.claims.notBefore = 0
        #expect(try fixture.verify() == .refused(.expired))
        fixture.claims.expiresAt = TokenFixture.now + 10
        #expect(try fixture.verify() == .refused(.wrongAudience))
        fixture.claims.audiences = ["tapstile:hq"]
        #expect(try fixture.verify() == .refused(.scopeLacksCommand))
        fixture.claims.scope = ["tokn"]
        #expect(try fixture.verify() == .refused(.revoked))
        fixture.answer = fixture.answer(issuer: issuer)
        guard case .verified = try fixture.verify() else { Issue.record("not verified"); return }
    }

    @Test func numbersWithExtremeTimesDoNotTrap() throws {
        var fixture = try TokenFixture()
        fixture.answer = fixture.answer(issuer: fixture.answer.issuer, issuedAt: .min)
        #expect(try fixture.verify() == .refused(.siteDataStale))
        fixture.clock = ClockReading(seconds: .min, trust: .synchronised)
        fixture.answer = fixture.answer(issuer: fixture.answer.issuer, issuedAt: .max)
        #expect(try fixture.verify() == .refused(.siteDataStale))
    }
}
