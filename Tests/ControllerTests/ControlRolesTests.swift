import Configuration
import ControlProtocol
import Service
import Testing

@testable import Controller

/// Who has which role, by groups and doors.
@Suite("Roles of whoever asks") struct ControlRolesTests {
    private static let groups: [String: UInt32] = ["tapstile": 70, "tapstile-operators": 71, "tapstile-observers": 72]
    private static let roles = ControlRoles(ControlSettings(socket: "/run/x/control.sock", group: "tapstile")) { groups[$0] }

    private static func peer(_ user: UInt32, _ groups: [UInt32], door: Int = 0) -> ControlPeer {
        ControlPeer(connection: 1, process: 2, user: user, group: 1000, groups: groups, door: door)
    }

    @Test(arguments: [([], ControlRole.observer), ([70], .maintainer), ([71], .operator), ([70, 71], .operator), ([72], .observer)] as [([UInt32], ControlRole)])
    func groupsGiveRoles(groups: [UInt32], role: ControlRole) {
        #expect(Self.roles.role(of: Self.peer(4711, groups)) == role)
        #expect(Self.roles.role(of: Self.peer(4711, groups, door: 1)) == role)
    }

    @Test func theDoorsAreThoseOfTheGroups() {
        #expect(Self.roles.doors.map(\.door) == [
            ControlDoor(path: "/run/x/control.sock", group: "tapstile"), ControlDoor(path: "/run/x/operator.sock", group: "tapstile-operators"),
            ControlDoor(path: "/run/x/observer.sock", group: "tapstile-observers")
        ])
        let bare = ControlRoles(ControlSettings(socket: "/run/x/control.sock", group: "tapstile")) { _ in nil }
        #expect(bare.doors.map(\.door) == [ControlDoor(path: "/run/x/control.sock")])
        #expect(bare.role(of: Self.peer(4711, [70, 71])) == .observer)
    }

    /// A screen in the hall may be run by anybody.
    @Test func theObserversDoorMakesObserversOfEverybody() {
        for groups: [UInt32] in [[], [70], [71]] { #expect(Self.roles.role(of: Self.peer(4711, groups, door: 2)) == .observer) }
        #expect(Self.roles.role(of: Self.peer(0, [], door: 2)) == .observer)
        #expect(Self.roles.role(of: Self.peer(0, [], door: 1)) == .root)
    }
}
