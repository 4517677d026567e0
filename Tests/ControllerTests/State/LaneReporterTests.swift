import ControlProtocol
import Credentials
import Encoding
import Gate
import Storage
import Testing
import Vocabulary

@testable import Controller
@testable import Lanes

/// What a lane reports becomes records, events and state.
@Suite("What lanes report") final class LaneReporterTests {
    private let site: TestSite
    private let controller: Controller
    private let reporter: LaneReporter
    private let events = EventLog()
    private let person = PersonDigest(subject: "ada")

    init() throws {
        site = try TestSite()
        try site.configure(lane: "zone = \"hall\"\nfrom-zone = \"yard\"")
        controller = try site.controller()
        controller.parts.state.passback.adopt(ZoneRules(
            zones: { ["hall", "yard"] }, policy: { _ in ZonePolicy(mode: .hard) }, exemptGroups: { _ in [] }, lastReset: { _, _ in nil }))
        reporter = try #require(controller.layout.withLock { $0.reporters["main"] })
        let events = self.events
        controller.listen { events.add($0) }
    }

    private func grant() -> GrantIdentity {
        let admission = controller.parts.state.passback.admit(person, groups: [], lane: "main", .in, at: controller.parts.clock.now())
        return GrantIdentity(outcome: 17, person: person.bytes, ticket: admission.ticket)
    }

    private var places: [String] { controller.parts.state.passback.people(person, zone: nil).map { "\($0.zone) \($0.isSure)" } }

    private func records(_ kind: String) throws -> [JSON] { try controller.records().filter { $0["kind"]?.string == kind } }

    @Test func aPassageIsOneRecordAndCommits() throws {
        let grant = grant()
        #expect(places == [])
        reporter.report(.record(.passage(.passed, direction: .in, grant: grant)))
        reporter.report(.passed(grant, .in))
        #expect(places == ["hall true"])
        let passages = try records("passage")
        #expect(passages.map { $0["reason"]?.string } == ["passed"])
        #expect(passages.first?["detail"] == ["direction": "in", "outcome": 17])
        #expect(events.all.contains { $0.kind == .passage && $0.fields["finding"]?.string == "passed" })
        // Back into the yard.
        reporter.report(.passed(GrantIdentity(outcome: 18, person: person.bytes), .out))
        #expect(places == ["yard true"])
        #expect(try records("passage").map { $0["reason"]?.string } == ["passed", "let-through"])
    }

    @Test func whatWasNotPassedIsGone() throws {
        let grant = grant()
        reporter.report(.record(.passage(.passageTimeout, direction: .in, grant: grant)))
        reporter.report(.notPassed(grant, .in))
        #expect(places == [])
        #expect(try records("passage").map { $0["reason"]?.string } == ["granted-not-passed"])
        let again = controller.parts.state.passback.admit(person, groups: [], lane: "main", .in, at: controller.parts.clock.now())
        #expect(again.judgement == .allowed)
    }

    @Test(arguments: [LaneMode.heldOpen, .freePassage]) func aLaneThatStandsOpenMakesPeopleDoubtful(mode: LaneMode) throws {
        reporter.report(.passed(grant(), .in))
        reporter.report(.record(.mode(.lockedDown, direction: nil, source: .input, requester: nil)))
        #expect(places == ["hall true"])
        reporter.report(.record(.mode(mode, direction: .in, source: .schedule, requester: nil)))
        #expect(places == ["hall false"])
        #expect(controller.parts.state.passback.admit(person, groups: [], lane: "main", .in, at: controller.parts.clock.now()).judgement == .allowed)
        reporter.report(.passed(grant(), .in))
        #expect(places == ["hall false"], "it stands open: they may leave unseen, whoever is there to see its end")
        reporter.report(.record(.mode(.normal, direction: nil, source: .standard, requester: nil)))
        #expect(places == ["hall false"], "it has stood open until now")
        reporter.report(.passed(grant(), .in))
        reporter.report(.record(.mode(.closed, direction: nil, source: .schedule, requester: nil)))
        #expect(places == ["hall true"])
        #expect(try records("mode").map { $0["reason"]?.string } == ["locked-down", mode.rawValue, "normal", "closed"])
        #expect(events.all.filter { $0.kind == .mode }.map { $0.fields["source"]?.string } == ["input", "schedule", "standard", "schedule"])
    }

    @Test func aFireMakesPeopleDoubtful() throws {
        reporter.report(.passed(grant(), .in))
        reporter.report(.record(.fireRelease(.out)))
        #expect(places == ["hall false"])
        reporter.report(.record(.fireRelease(nil)))
        #expect(try records("input").map { $0["reason"]?.string } == ["fire-release", "fire-release-over"])
    }

    @Test func everythingElseIsRecordedAndTold() throws {
        let requester = Requester(user: 5, process: 6)
        reporter.report(.record(.input(.tamper, .active)))
        reporter.report(.record(.release(.out, by: .requestToExit)))
        reporter.report(.record(.release(.in, by: .release(requester))))
        reporter.report(.record(.alarm(.forcedEntry)))
        reporter.report(.record(.alarmOver))
        reporter.report(.record(.armed(false, requester: requester)))
        let told = try controller.records().filter { ["input", "passage"].contains($0["kind"]?.string) }
        #expect(told.map { $0["reason"]?.string } == ["tamper", "released", "released", "alarm", "alarm-over"])
        #expect(told.map { $0["detail"]?["by"]?.string } == [nil, "exit-request", "operator", nil, nil])
        #expect(told[2]["detail"]?["user"]?.integer == 5)
        #expect(events.all.map(\.kind).filter { [.input, .passage, .alarm, .mode].contains($0) }
            == [.input, .passage, .passage, .alarm, .alarm, .mode])
    }

    /// It is forgotten also where it ends beneath the switch: it does not come back by a restart.
    @Test func anOrderThatEndsBeneathTheSwitchIsForgottenAndWrittenDown() throws {
        _ = controller.parts.state.set(LaneOrderTests.order(.heldOpen, until: .max), ofLane: "main")
        controller.parts.state.setEnd(Instant(milliseconds: 0), ofLane: "main")
        reporter.report(.record(.orderOver(.heldOpen, source: .operator)))
        #expect(controller.parts.state.order(ofLane: "main") == nil)
        let record = try #require(try records("mode").last)
        #expect(record["detail"]?["what"]?.string == "over" && record["detail"]?["was"]?.string == "held-open")
    }

    /// Two phones of one person at a way out and a way in at the same moment.
    @Test func somebodyLetOutCountsAsOutUntilThePassageIsKnown() throws {
        let passback = controller.parts.state.passback
        func admit(_ direction: Direction) -> Admission {
            passback.admit(person, groups: [], lane: "main", direction, at: controller.parts.clock.now())
        }
        reporter.report(.passed(grant(), .in))
        #expect(admit(.in).judgement == .refused(.antiPassback, by: .passback))
        let out = admit(.out)
        #expect(out.judgement == .allowed)
        let again = admit(.in)
        #expect(again.judgement == .allowed)
        passback.withdraw(again)
        reporter.report(.notPassed(GrantIdentity(outcome: 18, person: person.bytes, ticket: out.ticket), .out))
        #expect(admit(.in).judgement == .refused(.antiPassback, by: .passback), "they have not left")
    }

    /// The machine ends a mode whose time is over; then nothing is asked of the lane any more, whatever the clock says.
    @Test func anOrderWhoseTimeIsOverIsForgotten() throws {
        let order = LaneOrderTests.order(.heldOpen, until: .max)
        _ = controller.parts.state.set(order, ofLane: "main")
        controller.parts.state.setEnd(Instant(milliseconds: .max), ofLane: "main")
        reporter.report(.record(.mode(.lockedDown, direction: nil, source: .input, requester: nil)))
        #expect(controller.parts.state.order(ofLane: "main") == order, "a switch goes before it, and ends nothing")
        controller.parts.state.setEnd(Instant(milliseconds: 0), ofLane: "main")
        reporter.report(.record(.mode(.normal, direction: nil, source: .standard, requester: nil)))
        #expect(controller.parts.state.order(ofLane: "main") == nil)
    }
}
