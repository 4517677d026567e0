import ControlProtocol
import Credentials
import Encoding
import Gate
import Glibc
import Readers
import Service
import Storage
import Testing
import Threads

@testable import Controller
@testable import Lanes

/// Anti-passback over the whole tap, on lanes without passage contacts: the relay is all that is known.
@Suite("Anti-passback over the tap (V5)") final class PassbackTapTests {
    private let site: TestSite

    init() throws { site = try TestSite() }

    private static let side = """
        [[lane]]
        name = "side"
        zone = "hall"
        cooldown-success-ms = 0
        cooldown-failure-ms = 0
        [lane.relay]
        chip = "simulated"
        line = 11
        [[reader]]
        name = "side-in"
        lane = "side"
        [reader.match]
        name = "No Such Reader Either"
        [[reader]]
        name = "side-out"
        lane = "side"
        direction = "out"
        [reader.match]
        name = "Nor This One"
        """

    /// A gate with two lanes into one zone, under a policy.
    private func gate(_ policy: ZonePolicy, exempt: [String] = [], reset: Monitor<Int64?> = Monitor(nil)) throws -> Controller {
        try site.configure(lane: "zone = \"hall\"\ncooldown-success-ms = 0\ncooldown-failure-ms = 0", more: Self.side)
        let controller = try site.controller()
        controller.parts.state.passback.adopt(ZoneRules(
            zones: { ["hall"] }, policy: { $0 == "hall" ? policy : .none }, exemptGroups: { _ in exempt },
            lastReset: { _, _ in reset.withLock { $0 } }))
        if controller.parts.trust.status.publication == nil { try site.publish(to: controller) }
        return controller
    }

    private func tap(_ controller: Controller, _ subject: String = "ada", at reader: ReaderName = "entry") throws -> Reason? {
        let phone = try site.phone { $0 = self.site.claims($0.confirmationKey.key, subject: subject) }
        _ = controller.present(phone, at: reader)
        return phone.reason
    }

    private func subjects(_ controller: Controller) -> [String] {
        let known = ["ada", "ben", "eva"]
        return controller.parts.state.passback.people(nil, zone: nil).compactMap { person in
            known.first { PersonDigest(subject: $0) == person.person }
        }
    }

    @Test func hardRefusesAtEveryLaneAndAfterARestart() throws {
        var controller = try gate(ZonePolicy(mode: .hard))
        #expect(try tap(controller) == .granted)
        #expect(try tap(controller) == .antiPassback)
        #expect(try tap(controller, at: "side-in") == .antiPassback, "another phone of the same person at another lane")
        #expect(try tap(controller, "ben", at: "side-in") == .granted)
        controller.stop()
        controller = try gate(ZonePolicy(mode: .hard))
        #expect(subjects(controller) == ["ada", "ben"])
        #expect(try tap(controller) == .antiPassback)
        #expect(try tap(controller, at: "side-out") == .granted)
        #expect(try tap(controller) == .granted)
        #expect(controller.parts.state.passback.people(nil, zone: "hall").count == 2)
    }

    @Test func softGrantsAndNotesIt() throws {
        let controller = try gate(ZonePolicy(mode: .soft))
        let events = EventLog()
        controller.listen { events.add($0) }
        #expect(try tap(controller) == .granted)
        #expect(try tap(controller) == .granted)
        let outcomes = try controller.records().filter { $0["kind"]?.string == "outcome" }
        #expect(outcomes.map { $0["detail"]?["notes"]?.string } == [nil, "anti-passback"])
        let notes = events.all.filter { $0.kind == .result }.map { $0.fields["notes"]?.array?.compactMap(\.string) }
        #expect(notes == [nil, ["anti-passback"]])
    }

    @Test func aFullZoneIsTold() throws {
        let controller = try gate(ZonePolicy(mode: .off, capacity: 1))
        #expect(try tap(controller) == .granted)
        #expect(try tap(controller, "ben") == .zoneFull)
        #expect(try tap(controller, at: "side-out") == .granted)
        #expect(try tap(controller, "ben") == .granted)
    }

    @Test func aZoneWithoutRulesKeepsNobody() throws {
        let controller = try gate(.none)
        #expect(try tap(controller) == .granted)
        #expect(try tap(controller) == .granted)
        #expect(subjects(controller) == [])
        #expect(try controller.records().filter { $0["kind"]?.string == "passage" }.allSatisfy { $0["reason"]?.string != "let-through" })
    }

    /// The cooldown refuses: nobody is awaited who was not let through.
    @Test func whoIsRefusedByTheLaneIsNotAwaited() throws {
        let controller = try gate(ZonePolicy(mode: .hard))
        try site.configure(lane: "zone = \"hall\"\ncooldown-success-ms = 600000", more: Self.side)
        _ = try controller.reload()
        #expect(try tap(controller, "ben") == .granted)
        #expect(try tap(controller) == .cooldownSuccess)
        #expect(try tap(controller, at: "side-in") == .granted)
    }

    @Test func theDailyResetLetsInAndIsRecorded() throws {
        let reset = Monitor<Int64?>(nil)
        let controller = try gate(ZonePolicy(mode: .hard), reset: reset)
        #expect(try tap(controller) == .granted)
        reset.withLock { $0 = 5 }
        #expect(try tap(controller) == .antiPassback, "that was before they came")
        reset.withLock { $0 = controller.parts.clock.now().milliseconds + 1 }
        #expect(try tap(controller) == .granted)
        let resets = try controller.records().filter { $0["reason"]?.string == "passback-reset" }
        #expect(resets.map { $0["detail"]?["zone"]?.string } == ["hall"])
    }

    @Test func anOperatorsResetIsRecordedWithWhoAsked() throws {
        var controller = try gate(ZonePolicy(mode: .hard))
        for subject in ["ada", "ben", "eva"] { #expect(try tap(controller, subject) == .granted) }
        let requester = Requester(user: 1234, process: 56)
        #expect(controller.resetPassback(PassbackQuery(subject: "ada"), by: requester)["forgotten"]?.integer == 1)
        #expect(subjects(controller) == ["ben", "eva"])
        #expect(controller.resetPassback(PassbackQuery(zone: "attic"), by: requester)["forgotten"]?.integer == 0)
        #expect(controller.resetPassback(PassbackQuery(zone: "hall"), by: requester)["forgotten"]?.integer == 2)
        let asked = try controller.records().filter { $0["reason"]?.string == "passback-reset" }
        #expect(asked.map { $0["detail"]?["user"]?.integer } == [1234, 1234, 1234])
        #expect(asked.map { $0["detail"]?["forgotten"]?.integer } == [1, 0, 2])
        #expect(asked.first?["detail"]?["person"]?.string == Hex.encode(PersonDigest(subject: "ada").bytes))
        controller.stop()
        controller = try gate(ZonePolicy(mode: .hard))
        #expect(subjects(controller) == [])
    }

    @Test func whoIsInsideIsTold() throws {
        let controller = try gate(ZonePolicy(mode: .timed(milliseconds: 600_000), capacity: 5))
        #expect(try tap(controller) == .granted)
        let report = controller.passbackReport(PassbackQuery())
        #expect(report["zones"]?.array == [["zone": "hall", "mode": "timed", "minutes": 10, "capacity": 5, "present": 1, "doubtful": 0]])
        #expect(report["people"]?.array?.map { $0["person"]?.string } == [Hex.encode(PersonDigest(subject: "ada").bytes)])
        #expect(controller.passbackReport(PassbackQuery(subject: "ben"))["people"]?.array == [])
        #expect(controller.passbackReport(PassbackQuery(zone: "attic"))["zones"]?.array == [])
    }

    /// The journal was lost while the gate runs: what it had forgotten is told to the new one.
    @Test func aJournalSetAsideInServiceIsToldTheStateAnew() throws {
        var controller = try gate(ZonePolicy(mode: .hard))
        #expect(try tap(controller) == .granted)
        #expect(controller.parts.state.set(armed: false, lane: "main") == .set(StateKey(.armed, "main"), false))
        #expect(unlink(site.path("state/journal.db")) == 0)
        #expect(try tap(controller, "ben") == .granted)
        _ = try controller.records()
        _ = try controller.records()
        controller.stop()
        controller = try gate(ZonePolicy(mode: .hard))
        #expect(subjects(controller) == ["ada", "ben"])
        #expect(!controller.parts.state.isArmed(lane: "main"))
    }
}
