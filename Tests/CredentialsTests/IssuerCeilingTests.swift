import Credentials
import Cryptography
import Testing
import Vocabulary

/// Whoever has stolen an issuer's key signs what they like: each token is held against what the site lets the issuer say.
@Suite("Tokens beyond the ceiling of their issuer") struct IssuerCeilingTests {
    private static let now = TokenFixture.now
    private var fixture: TokenFixture

    init() throws {
        fixture = try TokenFixture()
    }

    private func verify(_ ceiling: IssuerCeiling, isInForce: Bool = true, known: Bool = false, _ change: (inout TokenFixture) -> Void = { _ in })
        throws -> VerificationResult {
        var fixture = fixture
        fixture.answer = fixture.answer(issuer: TokenIssuer(name: "issuer-1", key: fixture.issuerKey.publicKey, ceiling: ceiling))
        change(&fixture)
        let asked = fixture
        return try Verification.verify(token: asked.token(), verifiedIn: known ? 7 : nil, answer: asked.answer, clock: asked.clock, place: asked.place,
                                       command: "tokn", isInForce: { schedule in schedule == "days" && isInForce })
    }

    private func excess(_ ceiling: IssuerCeiling, isInForce: Bool = true, clock: ClockReading? = nil, _ change: (inout TokenClaims) -> Void = { _ in })
        -> IssuerExcess? {
        var claims = fixture.claims
        change(&claims)
        return ceiling.excess(of: claims, clock: clock ?? fixture.clock) { $0 == "days" && isInForce }
    }

    static let whole = IssuerCeiling(commands: ["tokn"], audiences: ["tapstile:hq/lobby"], schedule: "days", longest: 200, until: now + 1)

    @Test func whatLiesWithinOpens() throws {
        for ceiling in [Self.whole, IssuerCeiling()] {
            guard case .verified = try verify(ceiling) else { Issue.record("\(ceiling)"); return }
        }
    }

    @Test func eachThingBeyondIsRefused() throws {
        let refused = VerificationResult.refused(.beyondCeiling)
        #expect(try verify(IssuerCeiling(isOff: true)) == refused)
        #expect(try verify(IssuerCeiling(until: Self.now)) == refused)
        #expect(try verify(Self.whole, isInForce: false) == refused)
        #expect(try verify(IssuerCeiling(schedule: "mistyped")) == refused, "no site data have it")
        #expect(try verify(IssuerCeiling(longest: 199)) == refused)
        #expect(try verify(IssuerCeiling(audiences: ["tapstile:hq/lobby/main"])) == refused)
        #expect(try verify(Self.whole) { $0.claims.scope = ["tokn", "hold"] } == refused, "though nobody asks for it now")
        #expect(try verify(Self.whole) { $0.claims.audiences = ["tapstile:hq/lobby", "tapstile:hq/vault"] } == refused)
        #expect(try verify(Self.whole) { $0.claims.userVerification = true } == refused)
    }

    /// A token that the gate knows already is named by 8 bytes, and its issuer's signature is not verified again.
    @Test func byReferenceTheSameIsAskedAgain() throws {
        guard case .verified = try verify(Self.whole, known: true) else { Issue.record("it lies within"); return }
        #expect(try verify(IssuerCeiling(isOff: true), known: true) == .refused(.beyondCeiling))
        #expect(try verify(Self.whole, isInForce: false, known: true) == .refused(.beyondCeiling))
    }

    @Test func whatExceedsIsNamed() {
        #expect(excess(Self.whole) == nil)
        #expect(excess(IssuerCeiling(isOff: true)) == .off)
        #expect(excess(IssuerCeiling(until: Self.now)) == .over(Self.now))
        #expect(excess(Self.whole, isInForce: false) == .schedule("days"))
        #expect(excess(Self.whole) { $0.expiresAt += 1 } == .lifetime(seconds: 201))
        #expect(excess(Self.whole) { $0.scope = ["tokn", "hold"] } == .command("hold"))
        #expect(excess(Self.whole) { $0.audiences = ["tapstile:hq"] } == .audience("tapstile:hq"))
        #expect(excess(Self.whole) { $0.userVerification = true } == .userVerification)
        #expect(excess(IssuerCeiling(userVerification: true)) { $0.userVerification = true } == nil)
    }

    /// It counts no later, but a long time ago it was young: what lasts is measured from its own beginning.
    @Test func aBeginningFarInThePastStretchesNoLife() {
        #expect(excess(IssuerCeiling(longest: 200)) { $0.notBefore = 0 } == .lifetime(seconds: Self.now + 100))
        #expect(excess(IssuerCeiling(longest: 200)) { ($0.notBefore, $0.expiresAt) = (0, .max) } == .lifetime(seconds: .max))
    }

    /// Times that nobody vouches for open nothing.
    @Test func aClockThatNobodyTrustsIsBeforeNoEnd() throws {
        let clock = ClockReading(seconds: Self.now - 1000, trust: .untrusted)
        #expect(excess(IssuerCeiling(until: Self.now), clock: clock) == .over(Self.now))
        #expect(try verify(IssuerCeiling(until: Self.now + 1000)) { $0.clock = ClockReading(seconds: Self.now, trust: .untrusted) } == .refused(.clockUntrusted))
        #expect(excess(IssuerCeiling(until: Self.now + 1), clock: ClockReading(seconds: Self.now, trust: .holdover(ageSeconds: 60))) == nil)
    }

    /// Whoever asks without schedules gets no: a gate that forgot to say whether one is in force stays shut.
    @Test func withoutSchedulesNoneIsInForce() throws {
        var fixture = fixture
        fixture.answer = fixture.answer(issuer: TokenIssuer(name: "issuer-1", key: fixture.issuerKey.publicKey, ceiling: Self.whole))
        #expect(try fixture.verify() == .refused(.beyondCeiling))
    }

    /// Two spellings of one text are two texts, here as in the token.
    @Test func textsAreComparedByTheirBytes() {
        #expect(excess(IssuerCeiling(commands: ["caf\u{E9}"])) { $0.scope = ["cafe\u{301}"] } == .command("cafe\u{301}"))
        #expect(excess(IssuerCeiling(commands: ["TOKN"])) == .command("tokn"))
        #expect(excess(IssuerCeiling(audiences: ["tapstile:hq/Lobby"])) == .audience("tapstile:hq/lobby"))
        #expect(excess(IssuerCeiling(audiences: ["tapstile:hq/lob"])) == .audience("tapstile:hq/lobby"), "a beginning is no place")
        #expect(excess(IssuerCeiling(audiences: ["tapstile:hq/lobby"])) { $0.audiences = ["tapstile:hq/lobby/main"] } == nil)
    }

    @Test func anotherIssuersCeilingBindsNobody() throws {
        var fixture = fixture
        fixture.answer = fixture.answer(issuer: TokenIssuer(name: "Issuer-1", key: fixture.issuerKey.publicKey, ceiling: IssuerCeiling()))
        #expect(try fixture.verify() == .refused(.unknownIssuer))
    }

    /// The order of docs/credentials.md.
    @Test func ofSeveralFaultsTheFirstIsSaid() throws {
        let off = IssuerCeiling(isOff: true)
        #expect(try verify(off) { $0.claims.scope = ["hold"] } == .refused(.scopeLacksCommand))
        #expect(try verify(off) { $0.answer = $0.answer(issuer: $0.answer.issuer, isRevoked: true) } == .refused(.beyondCeiling))
    }

    @Test func theSameSwitchedOnDiffersInThatAlone() {
        let off = IssuerCeiling(commands: ["a"], audiences: ["tapstile:hq"], schedule: "days", longest: 5, userVerification: true, until: 9, isOff: true)
        #expect(off.switchedOn == IssuerCeiling(commands: ["a"], audiences: ["tapstile:hq"], schedule: "days", longest: 5, userVerification: true, until: 9))
    }
}
