import Credentials
import Gate
import Testing

@Suite("Whom a lane serves over which carrier (T2)") struct CarrierRuleTests {
    private static func phone(
        _ carrier: Carrier, canUseNFC: Bool = true, isManual: Bool = false, isForeground: Bool = false, isUnlocked: Bool = false
    ) -> PhoneSituation {
        PhoneSituation(carrier: carrier, canUseNFC: canUseNFC, isManual: isManual, isForeground: isForeground, isUnlocked: isUnlocked)
    }

    private static func judge(_ policy: CarrierPolicy, _ phone: PhoneSituation, isNFCInService: Bool) -> CarrierVerdict {
        CarrierRule(policy: policy).judge(phone, isNFCInService: isNFCInService)
    }

    @Test func nfcFirstIsTheDefault() {
        #expect(CarrierRule() == CarrierRule(policy: .nfcFirst, requirement: .none))
    }

    @Test func whileTheReaderIsInServiceBLEIsForPhonesWithoutNFC() {
        #expect(Self.judge(.nfcFirst, Self.phone(.ble), isNFCInService: true) == .refused(.useNFC))
        #expect(Self.judge(.nfcFirst, Self.phone(.ble, canUseNFC: false), isNFCInService: true) == .served)
        #expect(Self.judge(.nfcFirst, Self.phone(.nfc), isNFCInService: true) == .served)
    }

    @Test func whoeverStartsItInTheAppHasChosen() {
        let chosen = Self.phone(.ble, isManual: true)
        #expect(Self.judge(.nfcFirst, chosen, isNFCInService: true) == .served)
        #expect(Self.judge(.nfcOnly, chosen, isNFCInService: true) == .refused(.useNFC))
        #expect(Self.judge(.nfcOnly, chosen, isNFCInService: false) == .refused(.useNFC))
        let wantsUnlocked = CarrierRule(policy: .nfcFirst, requirement: .unlocked)
        #expect(wantsUnlocked.judge(chosen, isNFCInService: true) == .refused(.phoneLocked), "a choice unlocks no phone")
    }

    @Test func whileItIsNotBLEIsForAll() {
        #expect(Self.judge(.nfcFirst, Self.phone(.ble), isNFCInService: false) == .served)
        #expect(Self.judge(.nfcFirst, Self.phone(.ble, canUseNFC: false), isNFCInService: false) == .served)
    }

    @Test(arguments: [true, false]) func theOtherPoliciesDoNotAskForTheReader(isNFCInService: Bool) {
        for canUseNFC in [true, false] {
            let overBLE = Self.phone(.ble, canUseNFC: canUseNFC), overNFC = Self.phone(.nfc, canUseNFC: canUseNFC)
            #expect(Self.judge(.nfcOnly, overBLE, isNFCInService: isNFCInService) == .refused(.useNFC))
            #expect(Self.judge(.nfcOnly, overNFC, isNFCInService: isNFCInService) == .served)
            #expect(Self.judge(.bleOnly, overBLE, isNFCInService: isNFCInService) == .served)
            #expect(Self.judge(.bleOnly, overNFC, isNFCInService: isNFCInService) == .refused(.wrongCarrier))
            #expect(Self.judge(.both, overBLE, isNFCInService: isNFCInService) == .served)
            #expect(Self.judge(.both, overNFC, isNFCInService: isNFCInService) == .served)
        }
    }

    @Test func aPhoneMayHaveToBeInFrontOrUnlocked() {
        let foreground = CarrierRule(policy: .both, requirement: .foreground), unlocked = CarrierRule(policy: .both, requirement: .unlocked)
        #expect(foreground.judge(Self.phone(.ble, isUnlocked: true), isNFCInService: true) == .refused(.appInBackground))
        #expect(foreground.judge(Self.phone(.ble, isForeground: true), isNFCInService: true) == .served)
        #expect(unlocked.judge(Self.phone(.ble, isForeground: true), isNFCInService: true) == .refused(.phoneLocked))
        #expect(unlocked.judge(Self.phone(.ble, isUnlocked: true), isNFCInService: true) == .served)
    }

    @Test(arguments: PhoneRequirement.allCases) func nothingIsAskedOfAPhoneAtTheReader(requirement: PhoneRequirement) {
        #expect(CarrierRule(policy: .both, requirement: requirement).judge(Self.phone(.nfc), isNFCInService: true) == .served)
    }

    @Test func whoeverMustUseNFCIsNotAskedToUnlockFirst() {
        let rule = CarrierRule(policy: .nfcFirst, requirement: .unlocked)
        #expect(rule.judge(Self.phone(.ble), isNFCInService: true) == .refused(.useNFC))
        #expect(rule.judge(Self.phone(.ble), isNFCInService: false) == .refused(.phoneLocked))
    }

    private static let conditions: [LaneCondition] = [
        .clear, .busy, .outOfService, .closed, .resting(Cooldown(kind: .failure, ends: Instant(milliseconds: 9)))
    ]

    /// Told whatever the lane is like, so that nobody waits for the end of a cooldown only to be told this; and never a failure.
    @Test(arguments: conditions) func itIsNoFailure(condition: LaneCondition) {
        for reason in [Reason.useNFC, .appInBackground, .phoneLocked, .wrongCarrier] {
            let decision = Gatekeeper.decide(.unserved(reason), on: condition, at: Instant(milliseconds: 0))
            #expect(!decision.isGranted && !decision.countsAsFailure(over: .nfc) && !decision.countsAsFailure(over: .ble))
            #expect(decision.reason == reason && decision.rule == .carrier && decision.retryAfter == nil)
        }
    }

    @Test func whoMayNotPassNowIsToldThatInstead() {
        let decision = Gatekeeper.decide(.unserved(.useNFC), access: .refused(.outsideSchedule, by: .schedule), on: .clear,
                                         at: Instant(milliseconds: 0))
        #expect(decision.reason == .outsideSchedule)
        #expect(!Gatekeeper.wouldGrant(.unserved(.useNFC), access: .allowed))
    }
}
