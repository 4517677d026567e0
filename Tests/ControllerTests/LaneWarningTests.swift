import Lines
import Testing

@testable import Controller

/// Wiring that is not safe by itself keeps nobody out, and is said everywhere (L6).
@Suite("A relay that is on while nobody drives it") struct LaneWarningTests {
    let site: TestSite

    init() throws { site = try TestSite() }

    private func gate(wiredActive: Set<LineName>) throws -> Controller {
        let requests = try site.requests
        return try site.controller(SimulatedLineBank(requests, wiredActive: wiredActive))
    }

    private func warnings(_ controller: Controller) -> [String] {
        (controller.status["lanes"]?.array?.first?["warnings"]?.array ?? []).map {
            "\($0["code"]?.string ?? "?") \($0["message"]?.string?.prefix { $0 != ":" } ?? "?")"
        }
    }

    @Test func itIsNamedAndTheGateServes() throws {
        let controller = try gate(wiredActive: ["main-relay", "no line of this lane"])
        defer { controller.stop() }
        #expect(warnings(controller) == ["line-rest-unsafe Line main-relay"])
        #expect(controller.status["lanes"]?.array?.first?["faults"]?.array?.isEmpty == true)
        #expect(controller.status["lanes"]?.array?.first?["indicator"]?.string == "degraded", "people see that something is wrong")
        try site.publish(to: controller)
        let phone = try site.phone()
        _ = controller.present(phone, at: "entry")
        #expect(phone.reason == .granted)
        let records = try controller.parts.journal.read(from: 1, limit: 100)
        #expect(records.filter { $0.entry.detail["what"] == "line-rest-unsafe" }.map(\.entry.detail["line"]) == ["main-relay"])
        #expect(records.first { $0.entry.detail["what"] == "line-rest-unsafe" }?.entry.lane == "main")
    }

    @Test func goodWiringHasNothingToSay() throws {
        let controller = try gate(wiredActive: [])
        defer { controller.stop() }
        #expect(warnings(controller) == [])
        #expect(controller.status["lanes"]?.array?.first?["indicator"]?.string == "ready")
    }
}
