import ControlProtocol
import Credentials
import Foundation
import Service
import SiteData
import Testing
import Threads

@testable import Controller

/// What a gate writes down for those who look after it.
@Suite struct LogTests {
    let site: TestSite
    let lines = Monitor<[LogEntry]>([])

    init() throws { site = try TestSite() }

    private func gate() throws -> (Controller, LogOutput) {
        let lines = lines
        let logs = try LogOutput(LogSettings(standard: .init(level: .info, target: .standardError), rooms: [:])) { entry in
            lines.withLock { $0.append(entry) }
        }
        return (try site.controller(logs: logs), logs)
    }

    private func texts(_ room: String, _ logs: LogOutput) -> [String] {
        logs.flush()
        return lines.withLock { $0 }.filter { $0.room == room }.map(\.text)
    }

    /// Brings what was signed so many hours ago.
    private func publish(hoursOld: Int64, to controller: Controller) throws {
        let issued = Int64(Date().timeIntervalSince1970) - hoursOld * 3600 - 60
        for role in ["timestamp", "targets", "people"] { site.sign(role, at: issued) }
        try site.publish(asAFolder: true, to: controller)
    }

    @Test func oldSiteDataAreToldOnceEachTimeALimitIsCrossed() throws {
        let (controller, logs) = try gate()
        defer { controller.stop() }
        func warnings() -> [String] {
            controller.reportSiteDataAge()
            return texts("trust", logs).filter { $0.hasPrefix("trust-data-") }.map { String($0.prefix { $0 != ":" }) }
        }
        #expect(warnings() == [])
        try publish(hoursOld: 31 * 24, to: controller)
        #expect(warnings() == ["trust-data-stale"])
        #expect(warnings() == ["trust-data-stale"])
        try publish(hoursOld: 25, to: controller)
        #expect(warnings() == ["trust-data-stale", "trust-data-old"])
        try publish(hoursOld: 0, to: controller)
        try publish(hoursOld: 26, to: controller)
        #expect(warnings() == ["trust-data-stale", "trust-data-old", "trust-data-old"])
    }

    @Test func whoAsksForAChangeIsNotedByNumber() throws {
        let (controller, logs) = try gate()
        defer { controller.stop() }
        let handler = ControlHandler(controller: controller, roles: ControlRoles(maintainers: 77, operators: 79))
        func ask(_ operation: ControlOperation, user: UInt32, group: UInt32) {
            _ = handler.handle(ControlPeer(connection: 1, process: 4321, user: user, group: group, groups: []),
                               ControlRequest(id: 1, operation: operation).line)
        }
        ask(.reload, user: 4711, group: 77)
        ask(.importFolder, user: 4711, group: 78)
        ask(.status, user: 4711, group: 78)
        #expect(texts("control", logs) == [
            "reload, asked by user 4711, process 4321", "not-permitted: import-folder, asked by user 4711, process 4321"
        ])
    }
}
