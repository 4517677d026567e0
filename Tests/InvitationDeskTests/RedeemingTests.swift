import Credentials
import Cryptography
import Encoding
import InvitationDesk
import Invitations
import Testing
import Threads
import Waits

/// One code, one key.
@Suite struct RedeemingTests {
    @Test func aCodeBecomesATokenForTheKeyThatProvedItself() throws {
        let all = try DeskFixture(), key = try SigningKey.generate(), (code, id) = try all.invite("Ada")
        let begun = try all.desk.begin(BeginRequest(code: code), now: noon)
        #expect(begun.subject == "Ada" && begun.site == "north" && begun.validUntil == noon + 7 * 86_400)
        let access = try all.redeem(code, key)
        let token = try Token(parsing: access.token)
        #expect(token.isSigned(by: try all.issuerKey()))
        #expect(token.confirmationKey == key.publicKey && token.confirmationKeyUse == .sign)
        #expect(token.issuer == "visitors" && token.subject == "Ada" && token.audiences == ["tapstile:north"] && token.scope == ["tokn"])
        #expect(token.notBefore == noon - 300 && token.expiresAt == noon + 86_100 && !token.userVerification)
        #expect(access.gates == DeskFixture.gates && access.expires == noon + 86_100 && access.renewUntil == noon + 7 * 86_400)
        #expect(access.services == DeskSettings.usualServices)
        #expect(try all.desk.invitation(id).state.use?.thumbprint == key.publicKey.thumbprint)
    }

    @Test func redeemedTwiceByAnotherKey() throws {
        let all = try DeskFixture(), (code, _) = try all.invite()
        try all.redeem(code, try SigningKey.generate())
        #expect(throws: InvitationFault.codeUsed) { try all.redeem(code, try SigningKey.generate()) }
    }

    /// The answer was lost after the commit: the same key gets it again, byte for byte, also from a server that has started anew.
    @Test func whoseAnswerWasLostGetsTheSameTokenForTenMinutes() throws {
        let all = try DeskFixture(), key = try SigningKey.generate(), (code, _) = try all.invite()
        let request = try all.redeemRequest(code, key), first = try all.desk.redeem(request, now: noon)
        #expect(try all.desk.redeem(request, now: noon + 10) == first)
        let restarted = try all.another()
        #expect(throws: Never.self) { try restarted.begin(BeginRequest(code: code), now: noon + 599) }
        #expect(try restarted.redeem(all.redeemRequest(code, key, at: noon + 599), now: noon + 599) == first)
        #expect(throws: InvitationFault.codeUsed) { try all.redeem(code, key, at: noon + 600) }
    }

    @Test func racedByFiftyThreads() throws {
        let all = try DeskFixture(), other = try all.another(), (code, id) = try all.invite()
        let requests = try (0..<50).map { _ in try all.redeemRequest(code, SigningKey.generate()) }
        let answers = try onThreads(50) { number -> Result<IssuedAccess, InvitationFault> in
            do throws(InvitationFault) {
                return .success(try (number % 2 == 0 ? all.desk : other).redeem(requests[number], now: noon))
            } catch {
                return .failure(error)
            }
        }
        let granted = answers.compactMap { try? $0.get() }
        #expect(granted.count == 1)
        for case .failure(let fault) in answers { #expect(fault == .codeUsed) }
        let token = try Token(parsing: try #require(granted.first).token)
        #expect(try all.desk.invitation(id).state.use?.thumbprint == token.confirmationKey.thumbprint)
    }

    @Test func fiftyCodesAreRedeemedAtOnce() throws {
        let all = try DeskFixture(), other = try all.another()
        let requests = try (0..<50).map { try all.redeemRequest(all.invite("Visitor \($0)").code, SigningKey.generate()) }
        let subjects = try onThreads(50) { number in try? (number % 5 == 0 ? other : all.desk).redeem(requests[number], now: noon).subject }
        #expect(Set(subjects.compactMap { $0 }).count == 50)
        #expect(try all.desk.invitations(InvitationFilter(state: .redeemed)).count == 50)
        #expect(throws: Never.self) { try all.desk.checkLog() }
    }

    @Test func expiredWithdrawnUnknown() throws {
        let all = try DeskFixture(), key = try SigningKey.generate(), (late, _) = try all.invite(opensFor: 60), (gone, id) = try all.invite()
        #expect(throws: InvitationFault.codeExpired) { try all.redeem(late, key, at: noon + 60) }
        try all.desk.withdraw(id, by: "op", now: noon)
        #expect(throws: InvitationFault.codeWithdrawn) { try all.desk.begin(BeginRequest(code: gone), now: noon) }
        #expect(throws: InvitationFault.codeWithdrawn) { try all.redeem(gone, key) }
        #expect(throws: InvitationFault.codeUnknown) { try all.redeem(.make(), key) }
        #expect(throws: InvitationFault.codeUnknown) { try all.desk.begin(BeginRequest(code: .make()), now: noon) }
    }

    /// A code that is none is told before anything else: what a request looks like otherwise tells nothing apart.
    @Test func anUnknownCodeIsToldBeforeAWrongProof() throws {
        let all = try DeskFixture(), key = try SigningKey.generate()
        let request = try all.redeemRequest(.make(), key, for: "https://elsewhere.example")
        #expect(throws: InvitationFault.codeUnknown) { try all.desk.redeem(request, now: noon + 10_000) }
    }

    /// Whoever sits between phone and server puts in a key of his own: the statement names the one that signed.
    @Test func keySwappedInFlight() throws {
        let all = try DeskFixture(), phone = try SigningKey.generate(), thief = try SigningKey.generate(), (code, _) = try all.invite()
        let request = try #require(try all.redeemRequest(code, phone).json.object)
        var swapped = request
        swapped["key"] = try all.redeemRequest(code, thief).json["key"]
        let forged = try RedeemRequest(json: JSON.object(swapped).canonical)
        #expect(throws: InvitationFault.proofWrong) { try all.desk.redeem(forged, now: noon) }
        #expect(throws: Never.self) { try all.desk.redeem(RedeemRequest(json: JSON.object(request).canonical), now: noon) }
    }

    @Test func signedForAnotherServer() throws {
        let all = try DeskFixture(), (code, _) = try all.invite(), key = try SigningKey.generate()
        let request = try all.redeemRequest(code, key, for: "https://gates.example:8443")
        #expect(throws: InvitationFault.proofWrong) { try all.desk.redeem(request, now: noon) }
    }

    @Test func nonceForgedOverOrUsed() throws {
        let all = try DeskFixture(), elsewhere = try DeskFixture(), (code, _) = try all.invite(), (second, _) = try all.invite()
        let key = try SigningKey.generate(), nonce = try all.nonce(noon)
        func request(_ code: InvitationCode, _ key: SigningKey, _ nonce: NonceText, _ now: Int64) throws -> RedeemRequest {
            try RedeemRequest(code: code, key: key, nonce: nonce, origin: origin, time: now)
        }
        let foreign = try elsewhere.nonce(noon)
        #expect(throws: InvitationFault.nonceUnknown) { try all.desk.redeem(request(code, key, foreign, noon), now: noon) }
        #expect(throws: InvitationFault.nonceUnknown) { try all.desk.redeem(request(code, key, nonce, noon + 300), now: noon + 300) }
        #expect(throws: Never.self) { try all.desk.redeem(request(code, key, nonce, noon), now: noon) }
        let another = try SigningKey.generate()
        #expect(throws: InvitationFault.nonceUnknown) { try all.desk.redeem(request(second, another, nonce, noon), now: noon) }
        #expect(throws: Never.self) { try all.redeem(second, another) }
    }

    @Test func aRequestThatFailsUsesNoNonceUp() throws {
        let all = try DeskFixture(), (code, _) = try all.invite(), key = try SigningKey.generate(), nonce = try all.nonce(noon)
        let early = try RedeemRequest(code: code, key: key, nonce: nonce, origin: origin, time: noon - 601)
        #expect(throws: InvitationFault.clockDiffers(server: noon)) { try all.desk.redeem(early, now: noon) }
        let late = try RedeemRequest(code: code, key: key, nonce: nonce, origin: origin, time: noon + 601)
        #expect(throws: InvitationFault.clockDiffers(server: noon)) { try all.desk.redeem(late, now: noon) }
        let right = try RedeemRequest(code: code, key: key, nonce: nonce, origin: origin, time: noon + 600)
        #expect(throws: Never.self) { try all.desk.redeem(right, now: noon) }
    }

    @Test func aKeyHasOneInvitationAtATime() throws {
        let all = try DeskFixture(), key = try SigningKey.generate()
        let (first, id) = try all.invite(expires: noon + 1000), (second, _) = try all.invite()
        try all.redeem(first, key)
        #expect(throws: InvitationFault.keyInUse) { try all.redeem(second, key) }
        // What was taken back stays so: another link is no way around it.
        try all.desk.revoke(id, by: "op", now: noon)
        #expect(throws: InvitationFault.keyInUse) { try all.redeem(second, key, at: noon + 999) }
        #expect(throws: Never.self) { try all.redeem(second, key, at: noon + 1000) }
        #expect(try all.renew(key, at: noon + 1000).renewUntil == noon + 7 * 86_400)
    }

    @Test func userVerificationIsAnOperatorsWordOrAttested() throws {
        let all = try DeskFixture { attested, _ throws(InvitationFault) in
            guard attested.chain == [[1]], attested.challenge.count == 32 else { throw .attestationRefused("This is another phone.") }
            return true
        }
        func verified(_ code: InvitationCode, _ chain: [[UInt8]]?) throws -> Bool {
            let access = try all.desk.redeem(all.redeemRequest(code, try SigningKey.generate(), attestation: chain), now: noon)
            #expect(try Token(parsing: access.token).userVerification == access.userVerified)
            return access.userVerified
        }
        #expect(try verified(all.invite(userVerified: true).code, nil))
        #expect(try verified(all.invite().code, [[1]]))
        #expect(try !verified(all.invite().code, nil))
        let (code, _) = try all.invite()
        #expect(throws: InvitationFault.attestationRefused("")) { try verified(code, [[2]]) }
        #expect(try !verified(code, nil))
        // Nobody who looks: it gains nothing.
        let blind = try DeskFixture(), (other, _) = try blind.invite()
        #expect(try !blind.desk.redeem(blind.redeemRequest(other, try SigningKey.generate(), attestation: [[1]]), now: noon).userVerified)
    }
}

/// Runs something for each number on a thread of its own, all at once.
func onThreads<Answer: Sendable>(_ count: Int, _ body: @escaping @Sendable (Int) -> Answer) throws -> [Answer] {
    let answers = Monitor<[Answer]>([])
    let workers = try (0..<count).map { number in
        try Worker(name: "test-\(number)") {
            let answer = body(number)
            answers.withLock { $0.append(answer) }
        }
    }
    for worker in workers { try worker.waitForEnd() }
    return answers.withLock { $0 }
}
