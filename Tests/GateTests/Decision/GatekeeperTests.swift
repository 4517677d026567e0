import Credentials
import Gate
import Testing
import Vocabulary

private func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

@Suite("Gatekeeper (V2, T7, T8, rules 1 and 3 of the audit)") struct GatekeeperTests {
    let resting = LaneCondition.resting(Cooldown(kind: .success, ends: at(2000)))

    @Test func aVerifiedPhoneOnAClearLaneIsGranted() {
        let decision = Gatekeeper.decide(.verified, on: .clear, at: at(0))
        #expect(decision.isGranted && decision.reason == .granted)
    }

    @Test(arguments: [LaneCondition.clear, .busy, .outOfService, .resting(Cooldown(kind: .failure, ends: at(9)))])
    func whatIsWrongWithThePhoneComesBeforeTheLane(condition: LaneCondition) {
        #expect(Gatekeeper.decide(.unproven(.badProof), on: condition, at: at(0)).reason == .badProof)
        #expect(Gatekeeper.decide(.refused(.expired), on: condition, at: at(0)).reason == .expired)
    }

    @Test func cooldownTellsWhenToComeBack() {
        let decision = Gatekeeper.decide(.verified, on: resting, at: at(500))
        #expect(!decision.isGranted)
        #expect(decision.reason == .cooldownSuccess)
        #expect(decision.retryAfter == 1500)
        #expect(!decision.countsAsFailure(over: .nfc))
    }

    /// The reasons from the schedule on, as docs/architecture.md has them.
    private static let order: [Reason] = [
        .outsideSchedule, .laneFault, .laneClosed, .antiPassback, .zoneFull, .busy, .cooldownSuccess, .cooldownFailure
    ]

    private static let accesses: [(AccessJudgement, Reason?)] = [
        (.allowed, nil), (.refused(.outsideSchedule, by: .schedule), .outsideSchedule),
        (.refused(.antiPassback, by: .passback), .antiPassback), (.refused(.zoneFull, by: .capacity), .zoneFull)
    ]

    private static let conditions: [(LaneCondition, Reason?)] = [
        (.clear, nil), (.outOfService, .laneFault), (.closed, .laneClosed), (.busy, .busy),
        (.occupied(until: at(900)), .busy), (.resting(Cooldown(kind: .success, ends: at(9))), .cooldownSuccess),
        (.resting(Cooldown(kind: .phone, ends: at(9))), .cooldownSuccess),
        (.resting(Cooldown(kind: .failure, ends: at(9))), .cooldownFailure)
    ]

    @Test func ofTwoReasonsTheFirstInTheOrderIsTold() {
        for (access, ofAccess) in Self.accesses {
            for (condition, ofLane) in Self.conditions {
                let first = Self.order.first { $0 == ofAccess || $0 == ofLane } ?? .granted
                let decision = Gatekeeper.decide(.verified, access: access, on: condition, at: at(0))
                #expect(decision.reason == first, "\(access) at a lane that is \(condition)")
            }
        }
    }

    /// The relay may be energised a little longer than it was to be.
    @Test(arguments: [(0, 500), (400, 100), (500, 1), (900, 1)] as [(Int64, Int64)])
    func whoeverIsToComeBackIsGivenAPause(now: Int64, pause: Int64) {
        let decision = Gatekeeper.decide(.verified, on: .occupied(until: at(500)), at: at(now))
        #expect(decision.reason == .busy && decision.retryAfter == pause)
    }

    @Test func strangersAreNotToldWhenToComeBack() {
        #expect(Gatekeeper.decide(.unproven(.badProof), on: resting, at: at(0)).retryAfter == nil)
        #expect(Gatekeeper.decide(.refused(.revoked), on: resting, at: at(0)).retryAfter == nil)
    }

    @Test func everyReasonButGrantedDenies() {
        for reason in Reason.allCases where reason != .granted {
            #expect(!Gatekeeper.decide(.unproven(reason), on: .clear, at: at(0)).isGranted)
            #expect(!Gatekeeper.decide(.refused(reason), on: .clear, at: at(0)).isGranted)
        }
    }

    @Test func onlyRefusalsThePhoneCausedCountAsFailure() {
        #expect(Gatekeeper.decide(.refused(.expired), on: .clear, at: at(0)).countsAsFailure(over: .nfc))
        #expect(Gatekeeper.decide(.unproven(.badProof), on: .clear, at: at(0)).countsAsFailure(over: .nfc))
        #expect(!Gatekeeper.decide(.unproven(.cardRemoved), on: .clear, at: at(0)).countsAsFailure(over: .nfc))
        #expect(!Gatekeeper.decide(.unproven(.timeout), on: .clear, at: at(0)).countsAsFailure(over: .nfc))
        #expect(!Gatekeeper.decide(.verified, on: .outOfService, at: at(0)).countsAsFailure(over: .nfc))
    }

    /// Whoever is in reach of a radio may say anything, and stands nowhere; a proof, or a reader, has somebody behind it.
    @Test func aStrangersOneWriteOverBluetoothIsNoFailureOfTheLane() {
        for reason in [Reason.badProof, .malformed, .unknownKey, .protocolError, .unknownIssuer] {
            let unproven = Gatekeeper.decide(.unproven(reason), on: .clear, at: at(0))
            #expect(unproven.countsAsFailure(over: .nfc) && !unproven.countsAsFailure(over: .ble), "\(reason)")
        }
        #expect(Gatekeeper.decide(.refused(.expired), on: .clear, at: at(0)).countsAsFailure(over: .ble))
    }

    @Test func noRelayWithoutADurableAttempt() {
        let granted = Gatekeeper.decide(.verified, on: .clear, at: at(0))
        #expect(Gatekeeper.confirm(granted, audit: .durable, onFailure: .deny) == granted)
        #expect(Gatekeeper.confirm(granted, audit: .attemptNotDurable, onFailure: .deny).reason == .auditUnavailable)
        #expect(Gatekeeper.confirm(granted, audit: .attemptNotDurable, onFailure: .allow) == granted)
    }

    @Test(arguments: AuditFailurePolicy.allCases)
    func noGrantWhileThePreviousOutcomeIsNotDurable(policy: AuditFailurePolicy) {
        let granted = Gatekeeper.decide(.verified, on: .clear, at: at(0))
        let confirmed = Gatekeeper.confirm(granted, audit: .previousOutcomeNotDurable, onFailure: policy)
        #expect(!confirmed.isGranted && confirmed.rule == .audit)
    }

    @Test func anAuditInOrderGrantsNothingThatWasDenied() {
        let denied = Gatekeeper.decide(.refused(.revoked), on: .clear, at: at(0))
        #expect(Gatekeeper.confirm(denied, audit: .durable, onFailure: .allow) == denied)
    }
}
