import ControlProtocol
import Encoding
import Gate
import Lines
import Testing
import Threads
import Waits

@testable import Controller

/// What `status` says about contacts, and what is stuck at the start.
@Suite("Inputs in status") struct InputStatusTests {
    let site: TestSite

    init() throws {
        site = try TestSite()
        try site.configure(lane: """
            [lane.inputs.passage-in]
            chip = "simulated"
            line = 20
            debounce-ms = 1
            [lane.inputs.request-to-exit]
            chip = "simulated"
            line = 21
            debounce-ms = 1
            """)
    }

    /// The status once `look` finds in the lane what it looks for.
    private func lane(
        _ controller: Controller, fileID: String = #fileID, line: Int = #line, until look: (JSON) -> Bool
    ) throws -> JSON {
        let lane = try waitUntil("what is looked for in the lane's status", fileID: fileID, line: line) {
            controller.status["lanes"]?.array?.first
        } fits: { $0.map(look) ?? false }
        return try #require(lane)
    }

    private func inputs(_ lane: JSON) -> [String] {
        (lane["inputs"]?.array ?? []).map { "\($0["input"]?.string ?? "?") \($0["state"]?.string ?? "?")" }
    }

    private func codes(_ lane: JSON, _ list: String) -> [String] {
        (lane[list]?.array ?? []).compactMap { $0["code"]?.string }
    }

    @Test func everyInputIsShown() throws {
        let bank = try site.bank
        let controller = try site.controller(bank)
        let quiet = try lane(controller) { !inputs($0).contains { $0.hasSuffix("unknown") } }
        #expect(inputs(quiet) == ["passage-in inactive", "request-to-exit inactive"])
        #expect(codes(quiet, "warnings") == [])
        try bank.drive("main-request-to-exit", active: true)
        let pressed = try lane(controller) { inputs($0).contains("request-to-exit active") }
        #expect(codes(pressed, "warnings") == [])
    }

    @Test func whatIsActiveAtTheStartIsNamedUntilItWasNot() throws {
        let bank = SimulatedLineBank(try site.requests, wiredActive: ["main-request-to-exit"])
        let controller = try site.controller(bank)
        let stuck = try lane(controller) { !codes($0, "warnings").isEmpty }
        #expect(codes(stuck, "warnings") == ["input-active-at-start"])
        #expect(codes(stuck, "faults").filter { $0.hasPrefix("input") } == [])
        #expect(try recorded(controller) == ["exit-request"])
        try bank.drive("main-request-to-exit", active: false)
        #expect(try codes(lane(controller) { codes($0, "warnings").isEmpty }, "warnings") == [])
    }

    @Test func aReloadKeepsTheInputs() throws {
        let bank = try site.bank
        let controller = try site.controller(bank)
        try bank.drive("main-request-to-exit", active: true)
        _ = try lane(controller) { inputs($0).contains("request-to-exit active") }
        _ = try controller.reload()
        #expect(try inputs(lane(controller) { _ in true }) == ["passage-in inactive", "request-to-exit active"])
        try bank.drive("main-request-to-exit", active: false)
        _ = try lane(controller) { inputs($0).contains("request-to-exit inactive") }
    }

    /// The inputs that the journal says were active at the start, once there is one.
    private func recorded(_ controller: Controller) throws -> [CBOR?] {
        try waitUntil("an input in the journal") {
            let records = try controller.parts.journal.read(from: 1, limit: 100)
            return records.filter { $0.entry.detail["what"] == "input-active-at-start" }.map(\.entry.detail["input"])
        } fits: { !$0.isEmpty }
    }
}
