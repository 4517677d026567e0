import Encoding
import Gate
import SiteData
import SiteRules
import Testing
import VirtualPhone

@testable import Controller

/// Under which conditions a command is run: a second factor, by hand, at its time.
extension CommandTests {
    /// Every action there is, as the installer writes it with no word on the second factor.
    private static let actions = ["pass", "pass-out", "hold-open", "lock-down", "normal", "on", "off", "toggle", "record-only"]

    private static func list(_ action: String, _ more: String = "") -> String {
        let output = ["on", "off", "toggle"].contains(action) ? "output = \"panel\"" : ""
        return "[[lane.command]]\nname = \"it\"\naction = \"\(action)\"\n\(output)\n\(more)\n[[lane.output]]\nname = \"panel\"\nchip = \"simulated\"\nline = 20"
    }

    @Test(arguments: actions) func allButPassingWantsASecondFactor(action: String) throws {
        let gate = try gate(list: Self.list(action)), passes = action.hasPrefix("pass")
        #expect(try run("it", on: gate) == (passes ? .granted : .secondFactor))
        #expect(try run("it", on: gate, isUserVerified: true) == .granted)
    }

    @Test(arguments: actions) func theInstallerMaySayOtherwise(action: String) throws {
        #expect(try run("it", on: gate(list: Self.list(action, "second-factor = false"))) == .granted)
    }

    @Test(arguments: actions) func theInstallerMayWantItOfAnyCommand(action: String) throws {
        let gate = try gate(list: Self.list(action, "second-factor = true"))
        #expect(try run("it", on: gate) == .secondFactor)
        #expect(try run("it", on: gate, isUserVerified: true) == .granted)
    }

    /// `second-factor = false` takes away what the command wants, not what the lane wants.
    @Test func aCommandDoesNotSwitchOffTheSecondFactorOfItsLane() throws {
        let gate = try gate(list: Self.list("hold-open", "second-factor = false"), lane: "second-factor = \"always\"")
        #expect(try run("it", on: gate) == .secondFactor)
        #expect(try commands(gate).first?["secondFactor"]?.bool == true)
        #expect(try mode(gate) == ["normal", "standard"])
    }

    @Test(arguments: actions) func anAutomaticTapRunsNothingButPassing(action: String) throws {
        let gate = try gate(list: Self.list(action, "second-factor = false")), passes = action.hasPrefix("pass")
        #expect(try run("it", on: gate, isManual: false) == (passes ? .granted : .commandNotAllowed))
        #expect(events.relays.isEmpty == !passes)
    }

    @Test func aCommandIsRunDuringItsScheduleAndRefusedOutsideOfIt() throws {
        let gate = try gate(list: Self.list("record-only", "second-factor = false\nschedule = \"never\""))
        #expect(try run("it", on: gate) == .commandNotAllowed, "nobody has it yet")
        #expect(try warnings(gate) == ["command-schedule-unknown"])
        try site.publish(SiteRulesTapTests.records([]), to: gate)
        #expect(try run("it", on: gate) == .commandNotAllowed)
        #expect(try warnings(gate) == [])
        #expect(try commands(gate).first?["inForce"]?.bool == false)
        try site.configure(lane: "cooldown-success-ms = 0\n" + Self.list("record-only", "second-factor = false\nschedule = \"always\""))
        _ = try gate.reload()
        #expect(try run("it", on: gate) == .granted)
        #expect(try commands(gate).first?["inForce"]?.bool == true)
    }

    private func warnings(_ gate: Controller) throws -> [String?] {
        try gate.laneReport("main")["warnings"]?.array?.map { $0["code"]?.string } ?? []
    }

    private func commands(_ gate: Controller) throws -> [JSON] { try gate.laneReport("main")["commands"]?.array ?? [] }

    @Test func statusListsWhatPhonesMayOrder() throws {
        let gate = try gate(), commands = try commands(gate)
        #expect(commands.map { $0["name"]?.string } == ["tokn", "hold", "lock", "usual", "arm", "come", "guarded", "weekend"])
        #expect(commands[1] == ["name": "hold", "action": "hold-open", "secondFactor": false, "minutes": 60])
        #expect(commands[4] == ["name": "arm", "action": "on", "output": "panel", "secondFactor": false, "minutes": 60])
        #expect(commands[7]["schedule"]?.string == "nobody-has-it")
    }
}
