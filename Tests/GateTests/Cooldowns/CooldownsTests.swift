import Credentials
import Gate
import Testing

private func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

@Suite("Cooldowns (T7, T8, T9)") struct CooldownsTests {
    @Test func nothingStandsInTheWayAtFirst() {
        let cooldowns = Cooldowns(afterSuccess: 2000, afterFailure: 500)
        #expect(cooldowns.standing(for: .nfc, at: at(0)) == nil)
    }

    @Test func successRestsEveryCarrierCountedFromTheRelay() {
        var cooldowns = Cooldowns(afterSuccess: 2000, afterFailure: 500)
        cooldowns.recordSuccess(relay: at(1000))
        for carrier in Carrier.allCases {
            #expect(cooldowns.standing(for: carrier, at: at(2999)) == Cooldown(kind: .success, ends: at(3000)))
            #expect(cooldowns.standing(for: carrier, at: at(3000)) == nil)
        }
    }

    @Test func passageEndsTheCooldownAfterSuccess() {
        var cooldowns = Cooldowns(afterSuccess: 2000, afterFailure: 500)
        cooldowns.recordSuccess(relay: at(0))
        cooldowns.recordPassage(relay: at(0))
        #expect(cooldowns.standing(for: .nfc, at: at(1)) == nil)
    }

    @Test func failureRestsOnlyItsOwnCarrier() {
        var cooldowns = Cooldowns(afterSuccess: 2000, afterFailure: 500)
        cooldowns.recordFailure(over: .ble, at: at(100))
        #expect(cooldowns.standing(for: .ble, at: at(100)) == Cooldown(kind: .failure, ends: at(600)))
        #expect(cooldowns.standing(for: .nfc, at: at(100)) == nil)
    }

    @Test func repeatedFailuresDoNotExtendTheCooldown() {
        var cooldowns = Cooldowns(afterSuccess: 2000, afterFailure: 500)
        cooldowns.recordFailure(over: .nfc, at: at(0))
        cooldowns.recordFailure(over: .nfc, at: at(400))
        #expect(cooldowns.standing(for: .nfc, at: at(499))?.ends == at(500))
        #expect(cooldowns.standing(for: .nfc, at: at(500)) == nil)
        cooldowns.recordFailure(over: .nfc, at: at(500))
        #expect(cooldowns.standing(for: .nfc, at: at(500))?.ends == at(1000))
    }

    @Test func failureDuringTheRestAfterSuccessStartsNothing() {
        var cooldowns = Cooldowns(afterSuccess: 2000, afterFailure: 5000)
        cooldowns.recordSuccess(relay: at(0))
        cooldowns.recordFailure(over: .nfc, at: at(1000))
        #expect(cooldowns.standing(for: .nfc, at: at(2000)) == nil)
    }

    @Test func zeroSwitchesACooldownOff() {
        var cooldowns = Cooldowns(afterSuccess: 0, afterFailure: 0)
        cooldowns.recordSuccess(relay: at(0))
        cooldowns.recordFailure(over: .nfc, at: at(0))
        #expect(cooldowns.standing(for: .nfc, at: at(0)) == nil)
    }

    @Test func theEndOfTimeIsNotPassed() {
        var cooldowns = Cooldowns(afterSuccess: .max, afterFailure: 0)
        cooldowns.recordSuccess(relay: at(.max - 1))
        #expect(cooldowns.standing(for: .nfc, at: at(.max - 1))?.ends == at(.max))
    }

    @Test func aPassageEndsNoCooldownThatSomebodyElseStarted() {
        var cooldowns = Cooldowns(afterSuccess: 2000, afterFailure: 500)
        cooldowns.recordSuccess(relay: at(0))
        cooldowns.recordSuccess(relay: at(2000))
        cooldowns.recordPassage(relay: at(0))
        #expect(cooldowns.standing(for: .nfc, at: at(2001))?.ends == at(4000))
    }

    @Test func aPhoneInBackgroundRestsByItselfOverBLEOnly() {
        var cooldowns = Cooldowns(afterSuccess: 0, afterFailure: 0, inBackground: 20_000)
        cooldowns.recordSuccess(relay: at(1000))
        cooldowns.recordCooldown(of: PhoneCooldown([1], isInBackground: true), at: at(1000))
        #expect(cooldowns.standing(for: .ble, credential: [1], at: at(20_999)) == Cooldown(kind: .phone, ends: at(21_000)))
        #expect(cooldowns.standing(for: .ble, credential: [1], at: at(21_000)) == nil)
        #expect(cooldowns.standing(for: .ble, credential: [2], at: at(1001)) == nil)
        #expect(cooldowns.standing(for: .nfc, credential: [1], at: at(1001)) == nil)
        #expect(cooldowns.standing(for: .ble, at: at(1001)) == nil)
    }

    @Test func restsInBackgroundAreBoundedAndTheOneThatEndsFirstGoes() {
        var cooldowns = Cooldowns(afterSuccess: 0, afterFailure: 0, inBackground: 20_000)
        for number in 0...256 { cooldowns.recordCooldown(of: PhoneCooldown([UInt8(number & 255), UInt8(number >> 8)], isInBackground: true), at: at(Int64(number))) }
        #expect(cooldowns.standing(for: .ble, credential: [0, 0], at: at(300)) == nil)
        #expect(cooldowns.standing(for: .ble, credential: [1, 0], at: at(300)) != nil)
        #expect(cooldowns.standing(for: .ble, credential: [0, 1], at: at(300)) != nil)
    }

    @Test func aSuccessThatDidNotComeAboutLeavesNoPhoneResting() {
        var cooldowns = Cooldowns(afterSuccess: 2000, afterFailure: 0, inBackground: 20_000)
        cooldowns.recordSuccess(relay: at(0))
        cooldowns.recordCooldown(of: PhoneCooldown([1], isInBackground: true), at: at(0))
        cooldowns.recordSuccess(relay: at(5000))
        cooldowns.recordCooldown(of: PhoneCooldown([2], isInBackground: true), at: at(5000))
        cooldowns.withdrawSuccess(relay: at(5000))
        #expect(cooldowns.standing(for: .ble, credential: [2], at: at(5001)) == nil)
        #expect(cooldowns.standing(for: .ble, credential: [1], at: at(5001))?.ends == at(20_000))
        cooldowns.recordSuccess(relay: at(6000))
        cooldowns.withdrawSuccess(relay: at(6000))
        #expect(cooldowns.standing(for: .ble, credential: [1], at: at(6001))?.ends == at(20_000), "it was another's success")
    }

    @Test func thePhoneItselfRestsOverBLEAlsoWhenItsOwnerHasPassed() {
        var cooldowns = Cooldowns(afterSuccess: 2000, afterFailure: 0, inBackground: 20_000)
        cooldowns.recordSuccess(relay: at(0))
        cooldowns.recordCooldown(of: PhoneCooldown([1], isInBackground: false), at: at(0))
        cooldowns.recordPassage(relay: at(0))
        #expect(cooldowns.standing(for: .ble, credential: [1], at: at(1999)) == Cooldown(kind: .phone, ends: at(2000)))
        #expect(cooldowns.standing(for: .ble, credential: [1], at: at(2000)) == nil)
        #expect(cooldowns.standing(for: .ble, credential: [2], at: at(1)) == nil, "the next one need not wait")
        #expect(cooldowns.standing(for: .nfc, credential: [1], at: at(1)) == nil, "whoever holds a phone to the reader means it")
    }

    @Test func inBackgroundAPhoneRestsNoShorterThanInFront() {
        var cooldowns = Cooldowns(afterSuccess: 2000, afterFailure: 0, inBackground: 0)
        cooldowns.recordCooldown(of: PhoneCooldown([1], isInBackground: true), at: at(0))
        #expect(cooldowns.standing(for: .ble, credential: [1], at: at(1))?.ends == at(2000))
    }

    @Test func aRestIsNotCutShortByAnother() {
        var cooldowns = Cooldowns(afterSuccess: 2000, afterFailure: 0, inBackground: 20_000)
        cooldowns.recordSuccess(relay: at(0))
        cooldowns.recordCooldown(of: PhoneCooldown([1], isInBackground: true), at: at(0))
        cooldowns.recordSuccess(relay: at(3000))
        cooldowns.recordCooldown(of: PhoneCooldown([1], isInBackground: false), at: at(3000))
        cooldowns.recordPassage(relay: at(3000))
        #expect(cooldowns.standing(for: .ble, credential: [1], at: at(3001))?.ends == at(20_000))
        cooldowns.withdrawSuccess(relay: at(3000))
        #expect(cooldowns.standing(for: .ble, credential: [1], at: at(3001))?.ends == at(20_000), "nor by one that did not come about")
    }

    @Test func aSuccessThatDidNotComeAboutEndsNoRestThatSomebodyElseStarted() {
        var cooldowns = Cooldowns(afterSuccess: 2000, afterFailure: 0, inBackground: 20_000)
        cooldowns.recordSuccess(relay: at(0))
        cooldowns.recordCooldown(of: PhoneCooldown([1], isInBackground: true), at: at(0))
        cooldowns.withdrawSuccess(relay: at(1))
        #expect(cooldowns.standing(for: .nfc, at: at(2))?.ends == at(2000))
        #expect(cooldowns.standing(for: .ble, credential: [1], at: at(2001))?.ends == at(20_000))
    }

    @Test func zeroSwitchesTheRestInBackgroundOff() {
        var cooldowns = Cooldowns(afterSuccess: 0, afterFailure: 0, inBackground: 0)
        cooldowns.recordCooldown(of: PhoneCooldown([1], isInBackground: true), at: at(0))
        #expect(cooldowns.standing(for: .ble, credential: [1], at: at(0)) == nil)
    }
}
