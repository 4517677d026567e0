import Credentials
import Gate
import Testing

private func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

@Suite("Cooldowns (T7, T8)") struct CooldownsTests {
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
        cooldowns.recordPassage()
        #expect(cooldowns.standing(for: .nfc, at: at(1)) == nil)
    }

    @Test func failureRestsOnlyItsOwnCarrier() {
        var cooldowns = Cooldowns(afterSuccess: 2000, afterFailure: 500)
        cooldowns.recordFailure(over: .ble, at: at(100))
        #expect(cooldowns.standing(for: .ble, at: at(100)) == Cooldown(kind: .failure, ends: at(600)))
        #expect(cooldowns.standing(for: .nfc, at: at(100)) == nil)
    }

    @Test func repeatedFailuresDoNotExtendTheRest() {
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
}
