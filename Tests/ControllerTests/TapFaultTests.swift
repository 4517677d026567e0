import CSQLite
import ControlProtocol
import Credentials
import Encoding
import Evidence
import Foundation
import Lines
import Readers
import Testing
import Waits

@testable import Controller

/// Taps on a gate in trouble: nothing opens that should not, and every end is recorded.
@Suite("A tap on a gate in trouble") struct TapFaultTests {
    let site: TestSite
    let events = EventLog()

    init() throws { site = try TestSite() }

    private func gate(lane: String = "cooldown-success-ms = 0\ncooldown-failure-ms = 0", more: String = "",
                      _ bank: SimulatedLineBank? = nil) throws -> Controller {
        try site.configure(lane: lane, more: more)
        let controller = try site.controller(bank)
        let events = self.events
        controller.listen { events.add($0) }
        try site.publish(to: controller)
        return controller
    }

    // The phone ----------------------------------------------------------------------------------------

    @Test(arguments: 0..<3) func aPhoneTakenAwayOpensNothing(command: Int) throws {
        let controller = try gate()
        defer { controller.stop() }
        #expect(controller.present(try site.phone().pull(after: command), at: "entry") == .interrupted)
        #expect(events.reasons == ["card-removed"])
        #expect(events.relays == [])
        let phone = try site.phone()
        #expect(controller.present(phone, at: "entry") == .done)
        #expect(phone.reason == .granted, "the next tap is served at once: being taken away is no failure (T8)")
    }

    @Test func aPhoneTakenAwayAfterItsProofWasGranted() throws {
        let controller = try gate()
        defer { controller.stop() }
        #expect(controller.present(try site.phone().pull(after: 3), at: "entry") == .done)
        #expect(events.reasons == ["granted"])
        #expect(events.relays == [true])
    }

    @Test(arguments: 0..<3) func aSilentPhoneIsClosedAtTheDeadline(command: Int) throws {
        let controller = try gate()
        defer { controller.stop() }
        #expect(controller.present(try site.phone().silent(from: command), at: "entry") == .done)
        #expect(try events.reasons(atLeast: 1) == ["timeout"])
        #expect(events.relays == [])
    }

    @Test func whatCannotBeReadOpensNothing() throws {
        let controller = try gate()
        defer { controller.stop() }
        for length in [0, 1, 2, 3, 40, 258, 70_000] {
            let phone = try site.phone().answering { _, _ in [UInt8](repeating: 0x6F, count: length) }
            _ = controller.present(phone, at: "entry")
        }
        #expect(events.relays == [])
        #expect(!events.reasons.contains("granted"))
        #expect(events.reasons.count == 7)
    }

    // Cooldowns ------------------------------------------------------------------------------------------

    @Test func aSecondTapAtOnceIsToldWhenToComeBack() throws {
        let controller = try gate(lane: "cooldown-success-ms = 60000")
        defer { controller.stop() }
        _ = controller.present(try site.phone(), at: "entry")
        let phone = try site.phone()
        guard case .again(let after) = controller.present(phone, at: "entry") else {
            Issue.record("a phone in the field is served when the cooldown ends")
            return
        }
        #expect((50_000...60_000).contains(after))
        #expect(phone.reason == .cooldownSuccess)
        #expect(phone.outcome?.retryAfterMilliseconds.map { Int64($0) } == after)
        #expect(events.relays == [true])
    }

    @Test func aFailureRestsTheCarrierAndARefusalByCooldownStartsNothing() throws {
        let controller = try gate(lane: "cooldown-failure-ms = 60000")
        defer { controller.stop() }
        _ = controller.present(try site.phone { $0.scope = ["arm"] }, at: "entry")
        _ = controller.present(try site.phone(), at: "entry")
        #expect(events.reasons == ["scope-lacks-command", "cooldown-failure"])
    }

    // The gate -------------------------------------------------------------------------------------------

    @Test func aRelayThatCannotBeDrivenGrantsNothing() throws {
        let bank = try site.bank
        let controller = try gate(bank)
        defer { controller.stop() }
        bank.fail("main-relay", with: .failed(doing: "set", errno: 5))
        let phone = try site.phone()
        _ = controller.present(phone, at: "entry")
        #expect(phone.reason == .laneFault)
        let grant = try #require(try controller.records().last { $0["reason"]?.string == "granted" }?["sequence"]?.integer)
        let proof = try controller.proveRecord(UInt64(grant))
        #expect(proof["relayFailed"] == true, "whoever exports it is told what came of it")
        #expect(try EvidenceFile(parsing: Hex.decode(proof["file"]?.string ?? "")).outcome?.relayFailed == true, "and the gate has signed that, too")
        bank.fail("main-relay", with: nil)
        #expect(bank.isActive("main-relay") == false, "a line that recovers does not open the gate to nobody")
        let again = try site.phone()
        _ = controller.present(again, at: "entry")
        #expect(again.reason == .laneFault, "the lane is out of service until its lines were tried again")
        #expect(controller.status["lanes"]?.array?.first?["faults"]?.array?.first?["code"]?.string == "line-fault")
    }

    @Test func noRelayMovesWithoutADurableAttempt() throws {
        let controller = try gate(more: "[audit]\ndurable-within-ms = 50")
        defer { controller.stop() }
        let lock = try DatabaseLock(site.path("state/journal.db"))
        let phone = try site.phone()
        _ = controller.present(phone, at: "entry")
        #expect(phone.reason == .auditUnavailable)
        #expect(events.relays == [])
        lock.release()
        let next = try site.phone()
        _ = controller.present(next, at: "entry")
        #expect(next.reason == .granted, "the gate recovers by itself")
    }

    @Test func aJournalThatCannotBeWrittenIsSeenAtTheLane() throws {
        let controller = try gate(more: "[audit]\ndurable-within-ms = 50")
        defer { controller.stop() }
        let lock = try DatabaseLock(site.path("state/journal.db"))
        _ = controller.present(try site.phone(), at: "entry")
        #expect(try events.faults { $0 == ["journal-fault"] } == ["journal-fault"])
        #expect(controller.status["lanes"]?.array?.first?["indicator"]?.string != "ready")
        lock.release()
        #expect(try events.faults { $0.isEmpty } == [])
    }

    @Test func aLaneThatMayGrantUnrecordedShowsNoFault() throws {
        let controller = try gate(lane: "audit-on-failure = \"allow\"", more: "[audit]\ndurable-within-ms = 50")
        defer { controller.stop() }
        let lock = try DatabaseLock(site.path("state/journal.db"))
        _ = controller.present(try site.phone(), at: "entry")
        #expect(events.reasons == ["granted"])
        try waitUntil("the journal's failure") { controller.status["journal"]?["failure"] } fits: { $0 != nil }
        #expect(controller.status["lanes"]?.array?.first?["faults"]?.array?.isEmpty == true)
        func indicator() -> String? { controller.status["lanes"]?.array?.first?["indicator"]?.string }
        try waitUntil("the indicator of a journal that fails", indicator) { $0 == "degraded" }
        lock.release()
        try waitUntil("the indicator of a journal that works", indicator) { $0 != "degraded" }
    }

    @Test func noSecondGrantWhileTheFirstHasNoDurableName() throws {
        let controller = try gate(lane: "cooldown-success-ms = 0\naudit-on-failure = \"allow\"", more: "[audit]\ndurable-within-ms = 50")
        defer { controller.stop() }
        let lock = try DatabaseLock(site.path("state/journal.db"))
        _ = controller.present(try site.phone(), at: "entry")
        #expect(events.reasons == ["granted"], "the installer allowed it")
        _ = controller.present(try site.phone(), at: "entry")
        #expect(events.reasons == ["granted", "audit-unavailable"], "rule 3 has no policy")
        lock.release()
        // The journal tries again by itself: once this call's own record is durable, so is the first grant's.
        _ = try controller.records()
        _ = controller.present(try site.phone(), at: "entry")
        #expect(events.reasons.last == "granted")
    }

    @Test func aReloadWithErrorsKeepsWhatWasAndTheRunningPulse() throws {
        let bank = try site.bank
        let controller = try gate(lane: "", bank)
        defer { controller.stop() }
        _ = controller.present(try site.phone(), at: "entry")
        try site.write(Array("[site\n".utf8), "tapstile.toml")
        #expect(throws: ControlError(code: "configuration-invalid", message: "")) { try controller.reload() }
        #expect(bank.isActive("main-relay") == true)
        #expect(events.relays == [true])
    }

    @Test func aReloadTakesOverTimingAndRefusesWiring() throws {
        let controller = try gate(lane: "cooldown-success-ms = 60000")
        defer { controller.stop() }
        try site.configure(lane: "cooldown-success-ms = 0")
        _ = try controller.reload()
        _ = controller.present(try site.phone(), at: "entry")
        _ = controller.present(try site.phone(), at: "entry")
        #expect(events.reasons == ["granted", "granted"])
        let text = try String(contentsOfFile: site.path("tapstile.toml"), encoding: .utf8)
        try site.write(Array(text.replacingOccurrences(of: "line = 1", with: "line = 9").utf8), "tapstile.toml")
        #expect(throws: ControlError(code: "restart-needed", message: "")) { try controller.reload() }
    }
}
