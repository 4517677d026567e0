import Authority
import Credentials
import Cryptography
import Encoding
import Testing
import Vocabulary

@Suite("Tokens of an authority")
struct TokenTests {
    let scratch: ScratchFolder
    let authority: Authority

    init() throws {
        scratch = try ScratchFolder()
        authority = try makeAuthority(in: scratch)
    }

    private func request(_ key: PublicKey, subject: String = "anna", _ rights: Rights = Rights(expiresAt: now + 60)) -> TokenRequest {
        TokenRequest(key: key, use: .sign, subject: subject, rights: rights)
    }

    @Test func aTokenIsWhatAGateVerifies() throws {
        let key = try phoneKey()
        let token = try authority.issue(request(key), now: now)
        let issuer = try KeyFile(parsing: scratch.bytes("site/issuer.pub")).publicKey
        #expect(token.isSigned(by: issuer))
        #expect(token.issuer == "north-issuer")
        #expect(token.audiences == ["tapstile:north"])
        #expect(token.confirmationKey == key && token.confirmationKeyUse == .sign)
        #expect(token.scope == ["tokn"] && !token.userVerification)
        #expect((token.notBefore, token.expiresAt, token.issuedAt) == (now - TokenRequest.usualClockSkew, now + 60, now))
        let answer = TrustAnswer(issuer: TokenIssuer(name: "north-issuer", key: issuer), isRevoked: false, enrolled: [],
                                 generation: 1, publicationIssuedAt: now)
        let result = Verification.verify(
            token: try Token(parsing: token.raw), answer: answer, clock: ClockReading(seconds: now, trust: .synchronised),
            place: Place(site: "north", zone: nil, lane: "entry"), command: "tokn")
        guard case .verified(let verified) = result else {
            Issue.record("refused: \(result)")
            return
        }
        #expect(verified.subject == "anna")
    }

    /// The phone is at the gate seconds after the office has made its token.
    @Test func aGateThatIsFiveSecondsBehindTakesANewToken() throws {
        let token = try authority.issue(request(phoneKey()), now: now)
        let answer = TrustAnswer(issuer: TokenIssuer(name: "north-issuer", key: try KeyFile(parsing: scratch.bytes("site/issuer.pub")).publicKey),
                                 isRevoked: false, enrolled: [], generation: 1, publicationIssuedAt: now)
        func verdict(_ token: Token, behind seconds: Int64) -> Reason? {
            let result = Verification.verify(
                token: token, answer: answer, clock: ClockReading(seconds: now - seconds, trust: .synchronised),
                place: Place(site: "north", zone: nil, lane: "entry"), command: "tokn")
            guard case .refused(let reason) = result else { return nil }
            return reason
        }
        #expect(verdict(token, behind: 5) == nil && verdict(token, behind: 300) == nil)
        #expect(verdict(token, behind: 301) == .notYetValid, "further behind than anybody said")
        var exact = try request(phoneKey(), Rights(notBefore: now, expiresAt: now + 60))
        #expect(verdict(try authority.issue(exact, now: now), behind: 5) == .notYetValid, "a first moment that somebody said counts")
        exact.rights.notBefore = nil
        exact.clockSkew = 0
        #expect(verdict(try authority.issue(exact, now: now), behind: 1) == .notYetValid)
        exact.clockSkew = .max
        #expect(try authority.issue(exact, now: now).notBefore == 0)
    }

    @Test func rightsGoIntoTheToken() throws {
        let rights = Rights(audiences: ["tapstile:north/hall", "tapstile:north/-/entry"], scope: ["tokn", "hold"],
                            notBefore: now + 10, expiresAt: now + 20)
        let token = try authority.issue(
            TokenRequest(key: phoneKey(), use: .agree, subject: "anna", rights: rights, userVerification: true), now: now)
        #expect(token.audiences == rights.audiences)
        #expect(token.scope == rights.scope)
        #expect((token.notBefore, token.expiresAt) == (now + 10, now + 20))
        #expect(token.confirmationKeyUse == .agree && token.userVerification)
    }

    @Test func noTwoTokensHaveOneNumber() throws {
        let key = try phoneKey()
        let tokens = try (0..<20).map { _ in try authority.issue(request(key), now: now) }
        #expect(Set(tokens.map(\.identifierClaim)).count == 20)
        #expect(Set(tokens.map(\.identifier)).count == 20)
    }

    @Test func whatWasIssuedIsListed() throws {
        let key = try phoneKey()
        let token = try authority.issue(request(key), now: now)
        var listed: [IssuedToken] = []
        try authority.forEachToken { listed.append($0) }
        let one = try #require(listed.first)
        #expect(listed.count == 1)
        #expect(one.identifier == token.identifier && one.cti == token.identifierClaim && one.issuer == token.issuer)
        #expect(one.subject == "anna" && one.thumbprint == key.thumbprint)
        #expect((one.notBefore, one.expiresAt, one.issuedAt) == (now - TokenRequest.usualClockSkew, now + 60, now))
    }

    static let refused: [(Rights, AuthorityError)] = [
        (Rights(expiresAt: now), .badTimes), (Rights(expiresAt: now - 1), .badTimes), (Rights(), .badTimes),
        (Rights(notBefore: now + 2, expiresAt: now + 2), .badTimes), (Rights(notBefore: -1, expiresAt: now + 2), .badTimes),
        (Rights(audiences: ["north"], expiresAt: now + 1), .badAudience("north")),
        (Rights(audiences: ["tapstile:"], expiresAt: now + 1), .badAudience("tapstile:")),
        (Rights(audiences: ["tapstile:a//b"], expiresAt: now + 1), .badAudience("tapstile:a//b")),
        (Rights(audiences: ["tapstile:a/b/c/d"], expiresAt: now + 1), .badAudience("tapstile:a/b/c/d")),
        (Rights(scope: [], expiresAt: now + 1), .badCommand("")), (Rights(scope: ["a b"], expiresAt: now + 1), .badCommand("a b")),
        (Rights(scope: [String(repeating: "x", count: 33)], expiresAt: now + 1), .badCommand(String(repeating: "x", count: 33)))
    ]

    @Test(arguments: refused)
    func whatNoGateWouldTakeIsNotSigned(rights: Rights, error: AuthorityError) throws {
        #expect(throws: error) { try authority.issue(request(phoneKey(), rights), now: now) }
        var count = 0
        try authority.forEachToken { _ in count += 1 }
        #expect(count == 0)
    }

    @Test(arguments: ["", String(repeating: "x", count: 257)])
    func aSubjectHasALength(subject: String) throws {
        #expect(throws: AuthorityError.badSubject) { try authority.issue(request(phoneKey(), subject: subject), now: now) }
    }

    @Test func onlyKeysThatPhonesUse() throws {
        let key = try SigningKey.generate(.ed25519).publicKey
        #expect(throws: AuthorityError.wrongCurve) { try authority.issue(request(key), now: now) }
    }

    @Test func nothingIsIssuedToTheRevoked() throws {
        let key = try phoneKey()
        _ = try authority.revoke(.key(thumbprint: key.thumbprint), now: now)
        #expect(throws: AuthorityError.keyRevoked(thumbprint: key.thumbprint)) { try authority.issue(request(key), now: now) }
        _ = try authority.revoke(.subject("anna"), now: now)
        #expect(throws: AuthorityError.subjectRevoked("anna")) { try authority.issue(request(phoneKey()), now: now) }
    }

    @Test func aTooLongTokenIsNamed() throws {
        let audiences = (0..<16).map { "tapstile:north/\($0)" + String(repeating: "x", count: 60) }
        let rights = Rights(audiences: audiences, expiresAt: now + 1)
        #expect(throws: AuthorityError.token(.tooLong)) { try authority.issue(request(phoneKey(), rights), now: now) }
    }
}
