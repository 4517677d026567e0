import CLinux
import Configuration
import ControlProtocol
import Service

/// Who has which role at the control sockets: by the groups of whoever asks, and by the door. At the observers' door everybody is an
/// observer, root too: what is built to look on can do nothing else, whoever runs it.
struct ControlRoles: Sendable {
    /// One door, and what may be done at most by whoever comes through it.
    struct Door: Equatable, Sendable {
        let door: ControlDoor
        let most: ControlRole
    }

    /// The number of the maintainers' group; nil when this machine has no such group.
    let maintainers: UInt32?
    /// That of the operators' group.
    let operators: UInt32?
    /// In the order of `ControlPeer.door`.
    let doors: [Door]

    init(maintainers: UInt32?, operators: UInt32?, doors: [Door] = []) {
        self.maintainers = maintainers
        self.operators = operators
        self.doors = doors
    }

    /// What `settings` come to on a machine. A door whose group is not there stays shut, but the first: root needs no group.
    init(_ settings: ControlSettings, group: (String) -> UInt32? = { UInt32(exactly: clinux_group_id($0)) }) {
        func door(_ path: String, _ name: String, _ most: ControlRole) -> Door? {
            group(name).map { _ in Door(door: ControlDoor(path: path, group: name), most: most) }
        }
        let first = door(settings.socket, settings.group, .root) ?? Door(door: ControlDoor(path: settings.socket), most: .root)
        self.init(maintainers: group(settings.group), operators: group(settings.operatorGroup), doors: [first] + [
            door(settings.operatorSocket, settings.operatorGroup, .root), door(settings.observerSocket, settings.observerGroup, .observer)
        ].compactMap(\.self))
    }

    /// What whoever asks may do.
    func role(of peer: ControlPeer) -> ControlRole {
        min(ownRole(of: peer), doors.indices.contains(peer.door) ? doors[peer.door].most : .root)
    }

    private func ownRole(of peer: ControlPeer) -> ControlRole {
        if peer.isRoot { return .root }
        if peer.isOurself || belongs(peer, operators) { return .operator }
        return belongs(peer, maintainers) ? .maintainer : .observer
    }

    private func belongs(_ peer: ControlPeer, _ group: UInt32?) -> Bool { group.map { peer.belongs(toGroup: $0) } ?? false }
}
