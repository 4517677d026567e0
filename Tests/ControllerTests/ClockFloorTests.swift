import ControlProtocol
import Credentials
import Encoding
import Foundation
import Service
import SignedRepository
import SiteData
import Storage
import Testing
import Vocabulary

@testable import Controller

/// A clock that was carried years ahead, and the way back (finding a wrong jump, root alone fixes it).
@Suite struct ClockFloorTests {
    let site: TestSite
    init() throws { site = try TestSite() }

    private var inTenYears: Int64 { Int64(Date().timeIntervalSince1970) + 10 * 366 * 86400 }

    /// Site data of an office whose clock stood at `time`, applied while the gate's clock stood there too.
    private func applyPublication(issuedAt time: Int64, to controller: Controller) throws {
        let office = BundleOffice(site: TestSite.name, site: [.ceiling(BundleOffice.ceiling)])
        let files = try [("ahead-full", office.full()), ("ahead-site", office.siteFile())].map { name, bytes in
            try site.write(bytes, name)
            return try FileHandle(forReadingFrom: site.folder.appendingPathComponent(name))
        }
        let update = RepositoryUpdate(site: TestSite.name, state: office.state, siteHash: [], issuedAt: time, expiresAt: time + 86400)
        _ = try controller.parts.trust.apply(full: files[0].fileDescriptor, changes: nil, site: files[1].fileDescriptor, update,
                                             clock: ClockReading(seconds: time, trust: .synchronised))
        controller.parts.clock.raiseFloor(toMilliseconds: time * 1000)
    }

    @Test func whatIsWrongIsSaidAndTheWayBackLasts() throws {
        var controller = try site.controller()
        try applyPublication(issuedAt: inTenYears, to: controller)
        let lost = controller.status["clock"]
        #expect(lost?["trust"] == "untrusted")
        #expect(lost?["code"] == "clock-behind-floor")
        #expect(lost?["message"]?.string?.contains("tapstile clock reset-floor") == true)

        let answer = try controller.resetClockFloor(user: 0)
        #expect(answer["trust"] == "synchronised")
        #expect(answer["setAside"] == "trust.db.future-1")
        #expect(controller.status["clock"]?["code"] == nil)
        #expect(controller.status["trust"]?["code"] == "no-trust-data")
        let record = try #require(try controller.records().first { $0["detail"]?["what"] == "clock-floor-reset" })
        #expect(record["detail"]?["user"] == 0)
        #expect(record["detail"]?["before"]?.string?.hasPrefix("20") == true)
        controller.stop()

        controller = try site.controller()
        #expect(controller.status["clock"]?["trust"] == "synchronised")
        controller.stop()
    }

    @Test func aResetWithNothingAheadChangesNothing() throws {
        let controller = try site.controller()
        defer { controller.stop() }
        try site.publish(to: controller)
        #expect(try controller.resetClockFloor(user: 0)["setAside"] == nil)
        #expect(controller.status["trust"]?["state"] == "ready")
        #expect(controller.status["clock"]?["trust"] == "synchronised")
    }

    @Test func onlyRootMayReset() throws {
        let controller = try site.controller()
        defer { controller.stop() }
        let handler = ControlHandler(controller: controller, roles: ControlRoles(maintainers: 77, operators: 78))
        let line = ControlRequest(id: 1, operation: .resetClockFloor).line
        let operatorPeer = ControlPeer(connection: 1, process: 1, user: 4711, group: 78, groups: [])
        guard case .lines(let lines) = handler.handle(operatorPeer, line) else {
            Issue.record("an operator may reset the floor")
            return
        }
        #expect(try lines.map(ControlResponse.init(parsing:)).map(\.result) == [.failure(.notPermitted(toLessThan: .root))])
        guard case .work = handler.handle(ControlPeer(connection: 2, process: 1, user: 0, group: 0, groups: []), line) else {
            Issue.record("root may not reset the floor")
            return
        }
    }

    @Test func operatorsMayConfirmTheTimeAndMaintainersMayNot() throws {
        let controller = try site.controller()
        defer { controller.stop() }
        let handler = ControlHandler(controller: controller, roles: ControlRoles(maintainers: 77, operators: 78))
        let line = ControlRequest(id: 1, operation: .confirmClock).line
        guard case .lines(let refused) = handler.handle(ControlPeer(connection: 1, process: 1, user: 4711, group: 77, groups: []), line) else {
            Issue.record("a maintainer may confirm the time")
            return
        }
        #expect(try refused.map(ControlResponse.init(parsing:)).map(\.result) == [.failure(.notPermitted(toLessThan: .operator))])
        #expect(controller.status["clock"]?["confirmed"] == false)
        guard case .work(let work) = handler.handle(ControlPeer(connection: 2, process: 1, user: 4712, group: 78, groups: []), line) else {
            Issue.record("an operator may not confirm the time")
            return
        }
        _ = work()
        #expect(controller.status["clock"]?["confirmed"] == true)
        let record = try #require(try controller.records().first { $0["detail"]?["what"] == "clock-confirmed" })
        #expect(record["detail"]?["user"] == 4712)
    }

    @Test func anImportOfTheSameDayConfirmsTheTime() throws {
        let controller = try site.controller()
        defer { controller.stop() }
        #expect(controller.status["clock"]?["confirmed"] == false)
        try site.publish(to: controller)
        #expect(controller.status["clock"]?["confirmed"] == true)
    }
}
