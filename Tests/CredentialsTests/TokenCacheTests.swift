import Credentials
import Cryptography
import Testing
import Vocabulary

/// What is kept, what goes, and what it is bound to.
@Suite("Tokens by reference (V9)") struct TokenCacheTests {
    private let fixture: TokenFixture

    init() throws { fixture = try TokenFixture() }

    private func token(_ number: Int) throws -> Token {
        var claims = fixture.claims
        claims.cti = [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
        return try Token.issue(claims, key: fixture.issuerKey)
    }

    private func known(_ cache: TokenCache, _ tokens: [Token]) -> [Bool] {
        tokens.map { cache.token(named: $0.identifier.reference) != nil }
    }

    @Test func aTokenIsKnownByTheFirstBytesOfItsIdentifier() throws {
        let token = try token(1)
        var cache = TokenCache(capacity: 4)
        #expect(cache.token(named: token.identifier.reference) == nil)
        cache.remember(token, verifiedIn: 7)
        #expect(cache.token(named: token.identifier.reference) == KnownToken(token: token, generation: 7))
    }

    @Test(arguments: [0, 1, 7, 9, 32]) func aReferenceOfAnyOtherLengthNamesNothing(length: Int) throws {
        let token = try token(1)
        var cache = TokenCache(capacity: 4)
        cache.remember(token, verifiedIn: 7)
        #expect(cache.token(named: Array(token.identifier.bytes.prefix(length))) == nil)
    }

    @Test func theLeastRecentlyUsedGoesFirst() throws {
        let tokens = try (0..<4).map(token)
        var cache = TokenCache(capacity: 3)
        for token in tokens[..<3] { cache.remember(token, verifiedIn: 1) }
        cache.remember(tokens[0], verifiedIn: 1)
        cache.remember(tokens[3], verifiedIn: 1)
        #expect(known(cache, tokens) == [true, false, true, true])
        cache.remember(tokens[1], verifiedIn: 1)
        #expect(known(cache, tokens) == [true, true, false, true])
        #expect(cache.count == 3)
    }

    /// Whoever looks for somebody's tokens keeps none of them.
    @Test func lookingIsNoUse() throws {
        let tokens = try (0..<3).map(token)
        var cache = TokenCache(capacity: 2)
        for token in tokens[..<2] { cache.remember(token, verifiedIn: 7) }
        #expect(cache.tokens { $0.identifier == tokens[0].identifier } == [KnownToken(token: tokens[0], generation: 7)])
        #expect(cache.tokens { _ in true }.map(\.token.identifier) == [tokens[1].identifier, tokens[0].identifier])
        cache.remember(tokens[2], verifiedIn: 7)
        #expect(known(cache, tokens) == [false, true, true])
    }

    /// Only a proof is a use: whoever knows a reference could else keep it, and push out others.
    @Test func askingIsNoUse() throws {
        let tokens = try (0..<3).map(token)
        var cache = TokenCache(capacity: 2)
        cache.remember(tokens[0], verifiedIn: 1)
        cache.remember(tokens[1], verifiedIn: 1)
        _ = cache.token(named: tokens[0].identifier.reference)
        cache.remember(tokens[2], verifiedIn: 1)
        #expect(known(cache, tokens) == [false, true, true])
    }

    @Test func anotherGenerationEmptiesIt() throws {
        let tokens = try (0..<3).map(token)
        var cache = TokenCache(capacity: 4)
        cache.remember(tokens[0], verifiedIn: 1)
        cache.remember(tokens[1], verifiedIn: 2)
        #expect(known(cache, tokens) == [false, true, false])
        cache.forget(before: 3)
        #expect(cache.count == 0)
        // A tap that began before the import ends after it.
        cache.remember(tokens[2], verifiedIn: 2)
        #expect(cache.count == 0)
        cache.remember(tokens[2], verifiedIn: 3)
        cache.forget(before: 2)
        cache.forget(before: 3)
        #expect(known(cache, tokens) == [false, false, true])
    }

    /// The bytes count: both sides hash them.
    @Test func theFormThatThePhoneProvedLastIsKept() throws {
        let first = try token(1)
        let other = try Token.issue(first.claims, keyIdentifier: [9], key: fixture.issuerKey)
        #expect(first.identifier == other.identifier && first.raw != other.raw)
        var cache = TokenCache(capacity: 4)
        cache.remember(first, verifiedIn: 1)
        cache.remember(other, verifiedIn: 1)
        #expect(cache.token(named: first.identifier.reference)?.token.raw == other.raw)
        #expect(cache.count == 1)
    }

    @Test(arguments: [0, -1]) func noneIsKeptWhereItIsSwitchedOff(capacity: Int) throws {
        var cache = TokenCache(capacity: capacity)
        cache.remember(try token(1), verifiedIn: 1)
        #expect(cache.count == 0)
    }

    @Test func aSmallerBoundKeepsTheLatestUsed() throws {
        let tokens = try (0..<5).map(token)
        var cache = TokenCache(capacity: 8)
        for token in tokens { cache.remember(token, verifiedIn: 1) }
        cache.remember(tokens[0], verifiedIn: 1)
        cache.adopt(capacity: 2)
        #expect(known(cache, tokens) == [true, false, false, false, true])
        cache.remember(tokens[1], verifiedIn: 1)
        #expect(known(cache, tokens) == [true, true, false, false, false])
        cache.adopt(capacity: 3)
        cache.remember(tokens[2], verifiedIn: 1)
        #expect(known(cache, tokens) == [true, true, true, false, false])
        cache.adopt(capacity: 0)
        #expect(cache.count == 0)
    }

    /// Against a plain list, over many random steps.
    @Test func itIsAListInTheOrderOfUse() throws {
        var random = StepGenerator(state: 42)
        let tokens = try (0..<12).map(token)
        var cache = TokenCache(capacity: 5)
        var model: [Int] = []
        var generation: UInt64 = 1
        for step in 0..<2000 {
            let choice = random.next(below: 20)
            if choice == 0 {
                generation += 1
                cache.forget(before: generation)
                model = []
            } else if choice == 1 {
                let capacity = random.next(below: 6)
                cache.adopt(capacity: capacity)
                model = Array(model.prefix(capacity))
            } else if cache.capacity > 0 {
                let used = random.next(below: tokens.count)
                cache.remember(tokens[used], verifiedIn: generation)
                model = Array(([used] + model.filter { $0 != used }).prefix(cache.capacity))
            }
            #expect(known(cache, tokens) == tokens.indices.map(model.contains), "step \(step)")
            #expect(cache.count == model.count)
        }
    }

    // What a hit may leave out ---------------------------------------------------------------------------

    private func verify(_ fixture: TokenFixture, _ token: Token, verifiedIn generation: UInt64?) -> Reason? {
        let result = Verification.verify(token: token, verifiedIn: generation, answer: fixture.answer, clock: fixture.clock,
                                         place: fixture.place, command: "tokn")
        guard case .refused(let reason) = result else { return nil }
        return reason
    }

    @Test func onlyTheIssuersSignatureIsNotVerifiedAgainAndOnlyInTheSameGeneration() throws {
        let forged = try Token.issue(fixture.claims, key: SigningKey.generate())
        #expect(verify(fixture, forged, verifiedIn: 7) == nil, "the fixture's site data are of generation 7")
        #expect(verify(fixture, forged, verifiedIn: 6) == .badSignature)
        #expect(verify(fixture, forged, verifiedIn: 8) == .badSignature)
        #expect(verify(fixture, forged, verifiedIn: nil) == .badSignature)
    }

    @Test func everythingElseIsAskedAgain() throws {
        let token = try fixture.token()
        func reason(_ change: (inout TokenFixture) throws -> Void) throws -> Reason? {
            var changed = fixture
            try change(&changed)
            return verify(changed, token, verifiedIn: 7)
        }
        #expect(try reason { $0.answer = .absent } == .noSiteData)
        #expect(try reason { $0.answer = $0.answer(issuer: nil) } == .unknownIssuer)
        #expect(try reason { $0.clock = ClockReading(seconds: TokenFixture.now, trust: .untrusted) } == .clockUntrusted)
        #expect(try reason { $0.answer = $0.answer(issuer: $0.answer.issuer, issuedAt: 0) } == .siteDataStale)
        #expect(try reason { $0.clock = ClockReading(seconds: TokenFixture.now - 101, trust: .synchronised) } == .notYetValid)
        #expect(try reason { $0.clock = ClockReading(seconds: TokenFixture.now + 100, trust: .synchronised) } == .expired)
        #expect(try reason { $0.place = Place(site: "elsewhere", zone: nil, lane: "main") } == .wrongAudience)
        #expect(try reason { $0.answer = $0.answer(issuer: $0.answer.issuer, isRevoked: true) } == .revoked)
        #expect(Verification.verify(token: token, verifiedIn: 7, answer: fixture.answer, clock: fixture.clock, place: fixture.place,
                                    command: "hold") == .refused(.scopeLacksCommand))
    }
}

/// The same steps in every run.
private struct StepGenerator {
    var state: UInt64

    mutating func next(below limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % limit
    }
}
