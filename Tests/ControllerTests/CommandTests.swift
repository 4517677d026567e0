import ControlProtocol
import Credentials
import Cryptography
import Gate
import Lines
import PhoneProtocol
import Testing
import VirtualPhone
import Waits

@testable import Controller

/// What phones do beside passing (A1): what the installer has listed, by hand, below operators, and nothing else.
@Suite("Commands of phones (A1, T10)") struct CommandTests {
    let site: TestSite
    let events = EventLog()
    static let list = """
        [[lane.command]]
        name = "tokn"
        action = "pass"
        [[lane.command]]
        name = "hold"
        action = "hold-open"
        second-factor = false
        [[lane.command]]
        name = "lock"
        action = "lock-down"
        second-factor = false
        [[lane.command]]
        name = "usual"
        action = "normal"
        second-factor = false
        [[lane.command]]
        name = "arm"
        action = "on"
        output = "panel"
        second-factor = false
        [[lane.command]]
        name = "come"
        action = "record-only"
        second-factor = false
        [[lane.command]]
        name = "guarded"
        action = "record-only"
        [[lane.command]]
        name = "weekend"
        action = "record-only"
        second-factor = false
        schedule = "nobody-has-it"
        [[lane.output]]
        name = "panel"
        chip = "simulated"
        line = 20
        restore = true
        """

    init() throws { site = try TestSite() }

    func gate(_ bank: SimulatedLineBank? = nil, list: String = CommandTests.list, lane: String = "cooldown-success-ms = 0\ncooldown-failure-ms = 0") throws -> Controller {
        try site.configure(lane: "\(lane)\n\(list)")
        let controller = try site.controller(bank)
        let events = self.events
        controller.listen { events.add($0) }
        try site.publish(to: controller)
        return controller
    }

    func run(_ command: String, on gate: Controller, isManual: Bool = true, isUserVerified: Bool = false) throws -> Reason? {
        let key = try SigningKey.generate(.p256)
        var settings = PhoneSettings()
        settings.command = command
        settings.trigger = isManual ? .manual : .automatic
        var claims = site.claims(key.publicKey, scope: [command])
        claims.userVerification = isUserVerified
        let phone = try site.phone(key, site.token(claims), settings: settings)
        _ = gate.present(phone, at: "entry")
        return phone.reason
    }

    func mode(_ gate: Controller) throws -> [String?] {
        let mode = try gate.laneReport("main")["mode"]
        return [mode?["mode"]?.string, mode?["source"]?.string]
    }

    static let requester = Requester(user: 0, process: 1)

    private func operate(_ mode: LaneRequest.Mode, _ gate: Controller) throws {
        _ = try gate.act(LaneRequest(lane: "main", action: .mode(mode, direction: nil, milliseconds: nil)), by: Self.requester)
    }

    @Test func aPhoneHoldsTheLaneOpenAndIsNamedInTheJournal() throws {
        let gate = try gate()
        #expect(try run("hold", on: gate) == .granted)
        #expect(try mode(gate) == ["held-open", "phone"])
        #expect(events.relays == [true])
        let record = try #require(try gate.records().last { $0["reason"]?.string == "granted" })
        #expect(record["detail"]?["command"]?.string == "hold")
        #expect(record["detail"]?["action"]?.string == "hold-open")
        #expect(try gate.records().contains { $0["reason"]?.string == "held-open" })
        #expect(try run("usual", on: gate) == .granted)
        #expect(try mode(gate) == ["normal", "standard"])
        #expect(events.relays == [true, false])
    }

    @Test func aPhoneInAPocketRunsNothingButPassing() throws {
        let gate = try gate()
        for command in ["hold", "lock", "arm", "come"] { #expect(try run(command, on: gate, isManual: false) == .commandNotAllowed) }
        #expect(try run("tokn", on: gate, isManual: false) == .granted)
        #expect(try mode(gate) == ["normal", "standard"])
    }

    @Test func aPhoneChangesNothingThatAnOperatorHasOrdered() throws {
        let gate = try gate()
        try operate(.holdOpen, gate)
        for command in ["lock", "usual", "hold"] { #expect(try run(command, on: gate) == .laneClosed) }
        #expect(try mode(gate) == ["held-open", "operator"])
        try operate(.normal, gate)
        #expect(try mode(gate) == ["normal", "standard"])
    }

    @Test func underLockDownNoPhoneCommandsAnything() throws {
        let gate = try gate()
        try operate(.lockDown, gate)
        for command in ["hold", "usual", "arm", "come", "tokn"] { #expect(try run(command, on: gate) == .laneClosed) }
        #expect(try mode(gate) == ["locked-down", "operator"])
        #expect(events.relays == [])
    }

    /// A lane that a phone held open is locked down and released again: nothing of the phone's comes back.
    @Test func aLockDownIsTheEndOfWhatAPhoneHeldOpen() throws {
        let gate = try gate()
        #expect(try run("hold", on: gate) == .granted)
        try operate(.lockDown, gate)
        try operate(.normal, gate)
        #expect(try mode(gate) == ["normal", "standard"])
        try waitUntil("the relay's rest") { events.relays } fits: { $0 == [true, false] }
    }

    @Test func aPhonesLockDownIsEndedByNoPhone() throws {
        let gate = try gate()
        #expect(try run("lock", on: gate) == .granted)
        #expect(try run("usual", on: gate) == .laneClosed)
        #expect(try mode(gate) == ["locked-down", "phone"])
        try operate(.normal, gate)
        #expect(try mode(gate) == ["normal", "standard"])
    }

    @Test func whatAPhoneOrderedHoldsAfterARestart() throws {
        let first = try gate()
        #expect(try run("lock", on: first) == .granted)
        first.stop()
        let second = try site.controller()
        #expect(try mode(second) == ["locked-down", "phone"])
        second.stop()
    }

    @Test func anOutputIsSwitchedAndRestored() throws {
        let bank = try { try site.configure(lane: Self.list); return try site.bank }()
        let gate = try gate(bank)
        #expect(try run("arm", on: gate) == .granted)
        #expect(bank.isActive("main:panel") == true)
        #expect(events.relays == [], "no relay moves")
        gate.stop()
        let again = try site.bank
        let restarted = try site.controller(again)
        #expect(again.isActive("main:panel") == true)
        restarted.stop()
    }

    @Test func anOutputThatCannotBeDrivenIsToldAndStopsNobody() throws {
        let bank = try { try site.configure(lane: Self.list); return try site.bank }()
        let gate = try gate(bank)
        bank.fail("main:panel", with: .failed(doing: "set", errno: 5))
        #expect(try run("arm", on: gate) == .laneFault)
        #expect(try run("tokn", on: gate) == .granted)
    }

    @Test func aRelayThatFailsVoidsTheOrder() throws {
        let bank = try { try site.configure(lane: Self.list); return try site.bank }()
        let gate = try gate(bank)
        bank.fail("main-relay", with: .failed(doing: "set", errno: 5))
        #expect(try run("hold", on: gate) == .laneFault)
        bank.fail("main-relay", with: nil)
        #expect(try mode(gate) == ["normal", "standard"], "a line that recovers does not open the lane")
    }

    @Test func theRecordAloneMovesNothing() throws {
        let gate = try gate()
        #expect(try run("come", on: gate) == .granted)
        #expect(events.relays == [])
        #expect(events.reasons == ["granted"])
    }

    @Test func aCommandCountsNobodyThroughAndStartsNoCooldown() throws {
        let gate = try gate(lane: "cooldown-success-ms = 60000\ncooldown-failure-ms = 0")
        #expect(try run("come", on: gate) == .granted)
        #expect(try run("tokn", on: gate) == .granted)
        #expect(try run("come", on: gate) == .granted, "nor waits it for one")
    }
}
