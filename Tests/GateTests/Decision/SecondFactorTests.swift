import Credentials
import Cryptography
import Gate
import Testing
import Vocabulary

@Suite("The second factor (V6)") struct SecondFactorTests {
    private static func verified(_ userVerification: Bool) throws -> VerificationResult {
        let known = EnrolledKey(keyIdentifier: [1], key: try SigningKey.generate(.p256).publicKey, use: .sign, subject: "ada",
                                userVerification: userVerification)
        let candidate = TrustAnswer.EnrolledCandidate(key: known, isRevoked: false)
        let answer = TrustAnswer(issuer: nil, isRevoked: false, enrolled: [candidate], generation: 1, publicationIssuedAt: 0)
        return Verification.verify(enrolled: candidate, answer: answer, clock: ClockReading(seconds: 0, trust: .synchronised),
                                   place: Place(site: "demo", zone: nil, lane: "main"), command: "tokn")
    }

    @Test func onlyWhatTheIssuerSaidOfTheKeyCounts() throws {
        #expect(PresentationResult(try Self.verified(false), wantsSecondFactor: true) == .lacksSecondFactor)
        #expect(PresentationResult(try Self.verified(true), wantsSecondFactor: true) == .verified)
        #expect(PresentationResult(try Self.verified(false), wantsSecondFactor: false) == .verified)
        #expect(PresentationResult(try Self.verified(true), wantsSecondFactor: false) == .verified)
    }

    @Test func aLaneThatIsNotAutomaticRefusesWhatRunsByItself() throws {
        #expect(PresentationResult(try Self.verified(true), wantsSecondFactor: true, isAllowed: false) == .refused(.commandNotAllowed))
        #expect(PresentationResult(.refused(.expired), wantsSecondFactor: true, isAllowed: false) == .refused(.expired))
    }

    @Test func whoeverMustComeAnotherWayIsToldThatFirst() throws {
        let elsewhere = CarrierVerdict.refused(.useNFC)
        #expect(PresentationResult(try Self.verified(false), wantsSecondFactor: true, carrier: elsewhere) == .unserved(.useNFC))
        #expect(PresentationResult(try Self.verified(true), wantsSecondFactor: false, carrier: elsewhere) == .unserved(.useNFC))
        #expect(PresentationResult(.refused(.expired), wantsSecondFactor: false, carrier: elsewhere) == .refused(.expired))
        #expect(PresentationResult(try Self.verified(true), wantsSecondFactor: true, isAllowed: false, carrier: elsewhere)
            == .refused(.commandNotAllowed))
    }

    @Test(arguments: [true, false]) func whoeverIsRefusedAnywayIsToldThat(wanted: Bool) {
        #expect(PresentationResult(.refused(.expired), wantsSecondFactor: wanted) == .refused(.expired))
    }

    private static let conditions: [LaneCondition] = [
        .clear, .busy, .outOfService, .resting(Cooldown(kind: .success, ends: Instant(milliseconds: 9))),
        .resting(Cooldown(kind: .failure, ends: Instant(milliseconds: 9)))
    ]

    /// Told first, so that nobody waits for the end of a cooldown only to be told this; and never a failure.
    @Test(arguments: conditions) func itIsToldWhateverTheLaneIsLikeAndCostsNothing(condition: LaneCondition) {
        let decision = Gatekeeper.decide(.lacksSecondFactor, on: condition, at: Instant(milliseconds: 0))
        #expect(!decision.isGranted)
        #expect(decision.reason == .secondFactor && decision.rule == .secondFactor)
        #expect(decision.retryAfter == nil)
        #expect(!decision.countsAsFailure(over: .nfc) && !decision.countsAsFailure(over: .ble))
    }

    @Test func aRuleIsWhatTheInstallerWrote() {
        let schedules = ["night": true, "day": false]
        #expect(!SecondFactorRule.never.isWanted { schedules[$0] })
        #expect(SecondFactorRule.always.isWanted { schedules[$0] })
        #expect(SecondFactorRule.scheduled("night").isWanted { schedules[$0] })
        #expect(!SecondFactorRule.scheduled("day").isWanted { schedules[$0] })
    }

    @Test func aScheduleThatTheGateDoesNotHaveIsInForce() {
        #expect(SecondFactorRule.scheduled("nihgt").isWanted { _ in nil })
    }
}
