import ControlProtocol
import Credentials
import Foundation
import Service
import Testing
import Threads
import TrustSync

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

    /// Applies a publication that was issued so many hours ago.
    private func publish(hoursOld: Int64, version: UInt64, to controller: Controller) throws {
        let now = Int64(Date().timeIntervalSince1970)
        let manifest = try PublicationWriter().signedManifest(
            site: TestSite.name, version: version, issuedAt: now - hoursOld * 3600 - 60, expiresAt: now + 86400, key: site.siteKey)
        try site.write(manifest, "export")
        let file = try FileHandle(forReadingFrom: site.folder.appendingPathComponent("export"))
        _ = try controller.importPublication(descriptor: file.fileDescriptor)
    }

    @Test func oldSiteDataAreToldOnceEachTimeALimitIsCrossed() throws {
        let (controller, logs) = try gate()
        defer { controller.stop() }
        func warnings() -> [String] {
            controller.tellSiteDataAge()
            return texts("trust", logs).filter { $0.hasPrefix("trust-data-") }.map { String($0.prefix { $0 != ":" }) }
        }
        #expect(warnings() == [])
        try publish(hoursOld: 31 * 24, version: 1, to: controller)
        #expect(warnings() == ["trust-data-stale"])
        #expect(warnings() == ["trust-data-stale"])
        try publish(hoursOld: 25, version: 2, to: controller)
        #expect(warnings() == ["trust-data-stale", "trust-data-old"])
        try publish(hoursOld: 0, version: 3, to: controller)
        try publish(hoursOld: 26, version: 4, to: controller)
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
        ask(.importPublication, user: 4711, group: 78)
        ask(.status, user: 4711, group: 78)
        #expect(texts("control", logs) == [
            "reload, asked by user 4711, process 4321", "not-permitted: import, asked by user 4711, process 4321"
        ])
    }
}
