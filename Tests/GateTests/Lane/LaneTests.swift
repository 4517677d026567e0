import Credentials
import Gate
import Testing

private func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

private let grant = GrantIdentity(outcome: 1)

private func reserve(_ lane: inout Lane, at milliseconds: Int64 = 0) -> LaneReservation {
    lane.reserve(for: .nfc, at: at(milliseconds))
}

/// A tap whose record is on the disk at once.
private func tap(_ lane: inout Lane, resting phone: PhoneCooldown? = nil, at milliseconds: Int64 = 0) -> [LaneAction]? {
    let reservation = reserve(&lane, at: milliseconds)
    return lane.open(reservation, for: grant, resting: phone, at: at(milliseconds))
}

@Suite("Lane: relay, indicators, reservation (L1, L2, T7, T8)") struct LaneTests {
    let rules = LaneRules(pulse: 500, cooldownAfterSuccess: 2000, cooldownAfterFailure: 500, display: 1000)

    @Test func grantEnergisesTheRelayForThePulse() {
        var lane = Lane(rules: rules)
        #expect(tap(&lane) == [.setRelay(.in, true), .show(.granted)])
        #expect(lane.confirm() == [.passed(grant, .in)], "a lane without a sensor knows no more than that")
        #expect(lane.nextChange == at(500))
        #expect(lane.advance(to: at(499)) == [])
        #expect(lane.advance(to: at(500)) == [.setRelay(.in, false)])
        #expect(lane.relayState == .deenergised)
        #expect(lane.advance(to: at(1000)) == [.show(.ready)])
        #expect(lane.nextChange == nil)
    }

    @Test func theIndicatorOutlastsALongPulse() {
        var lane = Lane(rules: LaneRules(pulse: 3000, display: 1000))
        _ = tap(&lane)
        #expect(lane.advance(to: at(2999)) == [])
        #expect(lane.advance(to: at(3000)) == [.setRelay(.in, false), .show(.ready)])
    }

    @Test func onlyOneReaderOfALaneIsGrantedAtATime() {
        var lane = Lane(rules: rules)
        let reservation = reserve(&lane)
        #expect(reservation.condition == .clear)
        #expect(lane.condition(for: .nfc, at: at(0)) == .busy)
        #expect(reserve(&lane).condition == .busy)
        lane.giveBack(reservation)
        #expect(lane.condition(for: .nfc, at: at(0)) == .clear)
    }

    @Test func aReservationIsRefusedDuringACooldownThatAnotherReaderStarted() {
        var lane = Lane(rules: rules)
        _ = tap(&lane)
        #expect(lane.reserve(for: .nfc, at: at(1)).condition == .resting(Cooldown(kind: .success, ends: at(2000))))
        #expect(lane.condition(for: .nfc, at: at(2000)) == .clear, "what was refused took nothing")
    }

    @Test func aReservationThatIsReleasedLeavesNoTrace() {
        var lane = Lane(rules: rules)
        lane.giveBack(reserve(&lane))
        #expect(lane.condition(for: .nfc, at: at(0)) == .clear)
        #expect(lane.state == .idle)
        #expect(lane.nextChange == nil)
    }

    @Test func aFaultBetweenDecisionAndRelayKeepsTheGateShut() {
        var lane = Lane(rules: rules)
        let reservation = reserve(&lane)
        _ = lane.setFaults([.line])
        let actions = lane.open(reservation, for: grant, at: at(0))
        #expect(actions == nil)
        #expect(lane.relayState == .deenergised)
    }

    @Test func aRelayThatCannotBeDrivenIsNotEnergisedLater() {
        var lane = Lane(rules: rules)
        _ = tap(&lane)
        #expect(lane.abandon() == [.notPassed(grant, .in), .setRelay(.in, false), .show(.ready)])
        #expect(lane.relayState == .deenergised)
        #expect(lane.advance(to: at(100)) == [])
        #expect(reserve(&lane).condition == .clear)
    }

    /// Somebody was let through; then an operator's release fails.
    @Test func aReleaseWhoseRelayFailsEndsNobodysCooldown() throws {
        var lane = Lane(rules: rules)
        let phone: [UInt8] = [7]
        _ = tap(&lane, resting: PhoneCooldown(phone, isInBackground: true))
        _ = lane.confirm()
        _ = lane.advance(to: at(500))
        _ = try lane.release(.in, by: Requester(user: 0, process: 1), at: at(600))
        #expect(lane.abandon().contains(.setRelay(.in, false)))
        let rest = Cooldown(kind: .success, ends: at(2000)), ofPhone = Cooldown(kind: .phone, ends: at(20_000))
        #expect(lane.condition(for: .nfc, at: at(601)) == .resting(rest))
        #expect(lane.condition(for: .ble, credential: phone, at: at(2001)) == .resting(ofPhone))
    }

    /// Of two who rest, the one whose relay failed does not.
    @Test func aRelayThatFailsEndsTheCooldownThatBeganWithIt() {
        var rules = rules
        rules.cooldownAfterSuccess = 0
        var lane = Lane(rules: rules)
        for (time, phone) in [(0, 1), (1000, 2)] as [(Int64, UInt8)] {
            _ = tap(&lane, resting: PhoneCooldown([phone], isInBackground: true), at: time)
            _ = time == 0 ? lane.confirm() : lane.abandon()
            _ = lane.advance(to: at(time + 500))
        }
        let first = Cooldown(kind: .phone, ends: at(20_000))
        #expect(lane.condition(for: .ble, credential: [1], at: at(1600)) == .resting(first))
        #expect(lane.condition(for: .ble, credential: [2], at: at(1600)) == .clear)
    }

    @Test func aFaultDoesNotCutARunningPulse() {
        var lane = Lane(rules: rules)
        _ = tap(&lane)
        #expect(lane.setFaults([.reader]) == [])
        #expect(lane.indicator == .granted)
        #expect(lane.advance(to: at(500)) == [.setRelay(.in, false)])
        #expect(lane.advance(to: at(1000)) == [.show(.fault)])
        #expect(lane.condition(for: .nfc, at: at(9000)) == .outOfService)
        #expect(lane.setFaults([]) == [.show(.ready)])
    }

    @Test func denialIsShownAndOver() {
        var lane = Lane(rules: rules)
        #expect(lane.deny(over: .nfc, countsAsFailure: true, at: at(0)) == [.show(.denied)])
        #expect(lane.condition(for: .nfc, at: at(0)) == .resting(Cooldown(kind: .failure, ends: at(500))))
        #expect(lane.advance(to: at(1000)) == [.show(.ready)])
    }

    @Test func denialDuringAPulseChangesNothingPeopleSee() {
        var lane = Lane(rules: rules)
        _ = tap(&lane)
        #expect(lane.deny(over: .nfc, countsAsFailure: false, at: at(100)) == [])
        #expect(lane.indicator == .granted)
    }

    @Test func refusalByCooldownStartsNothing() {
        var lane = Lane(rules: rules)
        _ = lane.deny(over: .nfc, countsAsFailure: false, at: at(0))
        #expect(lane.condition(for: .nfc, at: at(0)) == .clear)
    }

    @Test func reloadLeavesARunningPulseUntouched() {
        var lane = Lane(rules: rules)
        _ = tap(&lane)
        var reloaded = lane
        #expect(reloaded.adopt(LaneRules(pulse: 9000, cooldownAfterSuccess: 100)) == [])
        #expect(reloaded.relayState == .energised(.in, until: at(500)))
        #expect(reloaded.advance(to: at(500)) == [.setRelay(.in, false)])
        #expect(reloaded.condition(for: .nfc, at: at(1999)) == .resting(Cooldown(kind: .success, ends: at(2000))))
    }

    @Test func aJournalThatCannotBeWrittenIsShownAndJudgedTapByTap() {
        var lane = Lane(rules: rules)
        #expect(lane.needsAudit)
        #expect(lane.setFaults([.journal]) == [.show(.fault)])
        #expect(lane.state == .fault, "it keeps everybody out, as long as it lasts")
        #expect(lane.condition(for: .nfc, at: at(0)) == .clear, "rule 1 of the audit decides, with what it knows of this tap")
        #expect(tap(&lane) == [.setRelay(.in, true), .show(.granted)])
        #expect(!Lane(rules: LaneRules(auditOnFailure: .allow)).needsAudit)
        _ = lane.setFaults([.journal, .reader])
        #expect(lane.condition(for: .nfc, at: at(9000)) == .outOfService)
    }
}
