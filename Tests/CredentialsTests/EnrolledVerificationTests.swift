import Credentials
import Cryptography
import Testing
import Vocabulary

@Suite struct EnrolledVerificationTests {
    let now: Int64 = 1_800_000_000
    let place = Place(site: "hq", zone: "lobby", lane: "main")

    private func verify(_ key: EnrolledKey, isRevoked: Bool = false, generation: UInt64 = 1,
                        trust: ClockTrust = .untrusted, command: String = "tokn") -> VerificationResult {
        let candidate = TrustAnswer.EnrolledCandidate(key: key, isRevoked: isRevoked)
        let answer = TrustAnswer(issuer: nil, isRevoked: false, enrolled: [candidate], generation: generation,
                                 publicationIssuedAt: 0)
        return Verification.verify(enrolled: candidate, answer: answer, clock: ClockReading(seconds: now, trust: trust),
                                   place: place, command: command)
    }

    private func key(scope: [String] = ["tokn"], audiences: [String] = [], notBefore: Int64? = nil,
                     expiresAt: Int64? = nil) throws -> EnrolledKey {
        try EnrolledKey(keyIdentifier: [1], key: SigningKey.generate().publicKey, use: .sign, subject: "alice",
                        scope: scope, audiences: audiences, notBefore: notBefore, expiresAt: expiresAt)
    }

    /// Enrolled keys open without a trusted clock and with old site data.
    @Test func opensWithoutATrustedClock() throws {
        let key = try key()
        guard case .verified(let credential) = verify(key) else { Issue.record("not verified"); return }
        #expect(credential.kind == .enrolled(thumbprint: key.key.thumbprint))
        #expect(credential.identifier == key.key.thumbprint)
    }

    /// anna's key in an example that somebody copied: whoever knows the curve has its private half.
    @Test func aKeyOfExamplesOpensNothingWhoeverEnrolledIt() throws {
        for value in [1, 2, 255] as [UInt8] {
            let everybodys = try SigningKey(rawPrivate: [UInt8](repeating: 0, count: 31) + [value], curve: .p256).publicKey
            let enrolled = EnrolledKey(keyIdentifier: [1], key: everybodys, use: .sign, subject: "anna", scope: ["tokn"], audiences: [], notBefore: nil,
                                       expiresAt: nil)
            #expect(verify(enrolled, trust: .synchronised) == .refused(.keyWellKnown))
            #expect(verify(enrolled, isRevoked: true) == .refused(.revoked), "what somebody did about it is told first")
        }
    }

    @Test func noSiteData() throws { #expect(try verify(key(), generation: 0) == .refused(.noSiteData)) }

    @Test func unknownKey() {
        let answer = TrustAnswer(issuer: nil, isRevoked: false, enrolled: [], generation: 1, publicationIssuedAt: 0)
        #expect(Verification.verify(enrolled: nil, answer: answer, clock: ClockReading(seconds: now, trust: .synchronised),
                                    place: place, command: "tokn") == .refused(.unknownKey))
    }

    @Test func notYetValid() throws {
        #expect(try verify(key(notBefore: now + 1)) == .refused(.notYetValid))
        #expect(try verify(key(notBefore: now)) != .refused(.notYetValid))
    }

    @Test func expired() throws {
        #expect(try verify(key(expiresAt: now)) == .refused(.expired))
        #expect(try verify(key(expiresAt: now + 1)) != .refused(.expired))
    }

    @Test func wrongAudience() throws {
        #expect(try verify(key(audiences: ["tapstile:other"])) == .refused(.wrongAudience))
        #expect(try verify(key(audiences: ["tapstile:hq/lobby"])) != .refused(.wrongAudience))
    }

    @Test func scopeLacksCommand() throws { #expect(try verify(key(), command: "hold") == .refused(.scopeLacksCommand)) }

    @Test func revoked() throws { #expect(try verify(key(), isRevoked: true) == .refused(.revoked)) }

    @Test func firstFaultIsReported() throws {
        let window = (notBefore: now + 1, expiresAt: now - 1)
        #expect(try verify(key(scope: ["x"], audiences: ["x"], notBefore: window.notBefore, expiresAt: window.expiresAt),
                           isRevoked: true) == .refused(.notYetValid))
        #expect(try verify(key(scope: ["x"], audiences: ["x"], expiresAt: window.expiresAt), isRevoked: true) == .refused(.expired))
        #expect(try verify(key(scope: ["x"], audiences: ["x"]), isRevoked: true) == .refused(.wrongAudience))
        #expect(try verify(key(scope: ["x"]), isRevoked: true) == .refused(.scopeLacksCommand))
        #expect(try verify(key(), isRevoked: true) == .refused(.revoked))
    }
}
