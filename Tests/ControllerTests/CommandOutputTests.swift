import ControlProtocol
import Encoding
import Gate
import Lines
import Testing
import Threads
import Waits

@testable import Controller
@testable import Lanes

/// What phones do to outputs ends, as all that they order does (A1).
extension CommandTests {
    private static let outputs = """
        [[lane.command]]
        name = "arm"
        action = "on"
        output = "panel"
        minutes = 5
        second-factor = false
        [[lane.command]]
        name = "disarm"
        action = "off"
        output = "panel"
        minutes = 5
        second-factor = false
        [[lane.command]]
        name = "other"
        action = "toggle"
        output = "panel"
        minutes = 7
        second-factor = false
        [[lane.output]]
        name = "panel"
        chip = "simulated"
        line = 20
        restore = RESTORE
        """

    private func start(restore: Bool = true) throws -> (Controller, SimulatedLineBank) {
        let list = Self.outputs.replacing("RESTORE", with: "\(restore)")
        try site.configure(lane: list)
        let bank = try site.bank
        return (try gate(bank, list: list), bank)
    }

    private func desk(_ gate: Controller) throws -> OutputDesk { try #require(gate.layout.withLock { $0 }.outputs["main"]) }

    private static func after(minutes: Int64) -> Instant { Instant(milliseconds: MonotonicTime.milliseconds + minutes * 60_000 + 1000) }

    private func isOn(_ bank: SimulatedLineBank) -> Bool? { bank.isActive("main:panel") }

    private func panel(_ gate: Controller) throws -> JSON? { try gate.laneReport("main")["outputs"]?.array?.first }

    private func ends(_ gate: Controller) throws -> [JSON] { try gate.records().filter { $0["detail"]?["what"]?.string == "over" } }

    private func toggle(_ gate: Controller) throws {
        _ = try gate.act(LaneRequest(lane: "main", action: .toggle(output: "panel")), by: Self.requester)
    }

    @Test(arguments: ["arm", "other"]) func whatAPhoneSwitchedIsOverAfterItsTime(command: String) throws {
        let (gate, bank) = try start()
        #expect(try run(command, on: gate) == .granted)
        let until = try #require(try panel(gate)?["until"]?.string)
        #expect(try panel(gate)?["by"]?.string == "phone")
        #expect(try gate.records().last?["detail"]?["until"]?.string == until)
        try desk(gate).endWhatIsOver(at: Self.after(minutes: 4))
        #expect(isOn(bank) == true)
        try desk(gate).endWhatIsOver(at: Self.after(minutes: 7))
        #expect(isOn(bank) == false)
        #expect(try panel(gate) == ["name": "panel", "on": false])
        let end = try #require(try ends(gate).last)
        #expect(end["kind"]?.string == "mode" && end["reason"]?.string == "off")
        #expect(end["detail"]?["output"]?.string == "panel" && end["detail"]?["by"]?.string == "phone")
        #expect(events.all.last { $0.kind == .output }?.fields["on"] == false)
        try desk(gate).endWhatIsOver(at: Self.after(minutes: 20))
        #expect(try ends(gate).count == 1, "it ends once")
    }

    /// A phone disarms; five minutes later the panel is armed again.
    @Test func whatAnOperatorHadSwitchedOnIsOnAgain() throws {
        let (gate, bank) = try start()
        try toggle(gate)
        #expect(try run("disarm", on: gate) == .granted)
        #expect(isOn(bank) == false)
        try desk(gate).endWhatIsOver(at: Self.after(minutes: 5))
        #expect(isOn(bank) == true)
        #expect(try ends(gate).last?["reason"]?.string == "on")
    }

    @Test func whatAnOperatorSwitchesLasts() throws {
        let (gate, bank) = try start()
        #expect(try run("arm", on: gate) == .granted)
        try toggle(gate)
        try toggle(gate)
        #expect(try panel(gate)?["until"] == nil)
        try desk(gate).endWhatIsOver(at: Self.after(minutes: 60))
        #expect(isOn(bank) == true)
        #expect(try run("arm", on: gate) == .granted, "which is so already, and begins no time")
        try desk(gate).endWhatIsOver(at: Self.after(minutes: 60))
        #expect(isOn(bank) == true)
    }

    @Test func aPhoneThatTakesItBackLeavesNothingToEnd() throws {
        let (gate, bank) = try start()
        for _ in 0..<2 { #expect(try run("other", on: gate) == .granted) }
        #expect(isOn(bank) == false)
        try desk(gate).endWhatIsOver(at: Self.after(minutes: 60))
        #expect(isOn(bank) == false)
        #expect(try ends(gate) == [])
    }

    /// The end of the first order must not be that of the second one.
    @Test func whoeverOrdersItAnewHasTheWholeTime() throws {
        let (gate, bank) = try start()
        #expect(try run("arm", on: gate) == .granted)
        #expect(try run("arm", on: gate) == .granted)
        try desk(gate).endWhatIsOver(at: Self.after(minutes: 4))
        #expect(isOn(bank) == true)
        try desk(gate).endWhatIsOver(at: Self.after(minutes: 5))
        #expect(isOn(bank) == false, "and no more")
    }

    @Test func theRestOfItsTimeHoldsAfterARestart() throws {
        let (first, _) = try start()
        #expect(try run("arm", on: first) == .granted)
        let until = try #require(try panel(first)?["until"]?.string)
        first.stop()
        let bank = try site.bank, second = try site.controller(bank)
        #expect(isOn(bank) == true)
        #expect(try panel(second)?["until"]?.string == until)
        try desk(second).endWhatIsOver(at: Self.after(minutes: 5))
        #expect(isOn(bank) == false)
        second.stop()
        let again = try site.bank, third = try site.controller(again)
        #expect(isOn(again) != true, "and stays so")
        #expect(try panel(third)?["until"] == nil)
    }

    /// A phone has armed; what is left of its time is written down as `age` and `length` say, and the gate ends.
    private func leave(ageMilliseconds age: Int64, length: Int64) throws {
        let (gate, _) = try start()
        #expect(try run("arm", on: gate) == .granted)
        let desk = try desk(gate), parts = gate.parts
        let order = OutputOrder(isOn: true, since: parts.clock.now().milliseconds - age, length: length)
        parts.recorder.record(.mode, "asked", lane: "main", effects: [parts.state.set(desk.orderKey(try #require(desk.output("panel"))), order.cbor)])
        gate.stop()
    }

    @Test func whatWasOverWhileTheGateWasOffIsOverAtItsStart() throws {
        try leave(ageMilliseconds: 60_000, length: 60_000)
        let bank = try site.bank, gate = try site.controller(bank)
        #expect(isOn(bank) != true)
        #expect(try ends(gate).last?["reason"]?.string == "off")
        #expect(try panel(gate) == ["name": "panel", "on": false])
    }

    /// Nobody asks for the end: the gate comes to it by itself.
    @Test func theGateEndsItByItself() throws {
        try leave(ageMilliseconds: 0, length: 2000)
        let bank = try site.bank, second = try site.controller(bank)
        try waitUntil("its end") { try panel(second)?["on"]?.bool == false && panel(second)?["until"] == nil }
        #expect(isOn(bank) == false)
    }

    @Test func withoutRestoreARestartEndsItAndTheJournalSaysSo() throws {
        let (first, _) = try start(restore: false)
        #expect(try run("arm", on: first) == .granted)
        first.stop()
        let bank = try site.bank, second = try site.controller(bank)
        #expect(isOn(bank) != true)
        #expect(try ends(second).count == 1)
        #expect(try panel(second) == ["name": "panel", "on": false])
        second.stop()
        #expect(try ends(site.controller()).count == 1, "once")
    }

    /// The line cannot be driven when the time is over: it comes back at its safe level, and stays so.
    @Test func anEndThatCannotBeDrivenIsRecordedAndHolds() throws {
        let (gate, bank) = try start()
        #expect(try run("arm", on: gate) == .granted)
        bank.fail("main:panel", with: .failed(doing: "set", errno: 5))
        try desk(gate).endWhatIsOver(at: Self.after(minutes: 5))
        #expect(try ends(gate).last?["detail"]?["fault"]?.string != nil)
        bank.fail("main:panel", with: nil)
        try desk(gate).linesAreBack(["main:panel"])
        #expect(try panel(gate)?["on"]?.bool == false)
    }

    @Test func theOutcomeNamesActionAndOutput() throws {
        let (gate, _) = try start()
        #expect(try run("arm", on: gate) == .granted)
        let outcome = try #require(try gate.records().last { $0["reason"]?.string == "granted" })
        #expect(outcome["detail"]?["command"]?.string == "arm" && outcome["detail"]?["action"]?.string == "on")
        #expect(outcome["detail"]?["output"]?.string == "panel")
    }
}
