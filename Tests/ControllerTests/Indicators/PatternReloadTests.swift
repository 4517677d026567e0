import ControlProtocol
import Encoding
import Lines
import Testing
import Waits

@testable import Controller

@Suite("Patterns of an installer's own, in a running gate (L2)") struct PatternReloadTests {
    private let site: TestSite
    private static let lamps = """
        [lane.indicators.red]
        chip = "simulated"
        line = 11
        [lane.indicators.green]
        chip = "simulated"
        line = 12
        """

    init() throws { site = try TestSite() }

    private func configure(ready lamp: String) throws {
        try site.configure(lane: Self.lamps, more: "[pattern.ready]\nsteps = [\"\(lamp) 100\"]\n[pattern.fault]\nsteps = [\"\(lamp) 100\"]")
    }

    @Test func areTakenOverByAReload() throws {
        try configure(ready: "red")
        let bank = try site.bank
        let controller = try site.controller(bank)
        try waitUntil("the red lamp on") { bank.isActive("main-red") == true }
        #expect(bank.isActive("main-green") == false)
        try configure(ready: "green")
        _ = try controller.reload()
        try waitUntil("the green lamp on") { bank.isActive("main-green") == true }
        try waitUntil("the red lamp off") { bank.isActive("main-red") != true }
    }

    @Test func thatAreNoneKeepWhatWas() throws {
        try configure(ready: "red")
        let bank = try site.bank
        let controller = try site.controller(bank)
        try waitUntil("the red lamp on") { bank.isActive("main-red") == true }
        try configure(ready: "off")
        #expect(throws: ControlError(code: "configuration-invalid", message: "")) { try controller.reload() }
        #expect(bank.isActive("main-red") == true)
    }

    @Test func aLampThatIsNewNeedsARestart() throws {
        try configure(ready: "red")
        let controller = try site.controller()
        try site.configure(lane: Self.lamps + "\n[lane.indicators.blue]\nchip = \"simulated\"\nline = 13")
        #expect(throws: ControlError(code: "restart-needed", message: "")) { try controller.reload() }
    }
}
