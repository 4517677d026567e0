import CLinux
import Glibc
import Threads

/// Who is at the other end of a control connection, as the kernel says (SO_PEERCRED, SO_PEERGROUPS): its
/// identity when it connected, whatever it became since.
public struct ControlPeer: Hashable, Sendable {
    /// Counts the connections of this server.
    public let connection: UInt64
    public let process: Int32
    public let user: UInt32
    public let group: UInt32
    /// Supplementary groups.
    public let groups: [UInt32]
    /// By which of the server's doors it came, counted from 0.
    public let door: Int

    public init(connection: UInt64, process: Int32, user: UInt32, group: UInt32, groups: [UInt32], door: Int = 0) {
        self.connection = connection
        self.process = process
        self.user = user
        self.group = group
        self.groups = groups
        self.door = door
    }

    public var isRoot: Bool { user == 0 }
    /// Does the peer run as the same user as this process?
    public var isOurself: Bool { user == geteuid() }

    /// Is the peer in a group, by its main group or another?
    public func belongs(toGroup wanted: UInt32) -> Bool { group == wanted || groups.contains(wanted) }

    /// Asks the kernel about a connection.
    init(connection: UInt64, descriptor: Int32, door: Int) throws(SystemError) {
        var peer = clinux_peer()
        _ = try SystemError.check(clinux_peer_of(descriptor, &peer), "ask who connects")
        var groups = [UInt32](repeating: 0, count: 256)
        let count = clinux_peer_groups(descriptor, &groups, Int32(groups.count))
        // Without its list a peer counts as member of its main group alone.
        self.init(connection: connection, process: peer.process, user: peer.user, group: peer.group,
                  groups: Array(groups[..<max(0, Int(count))]), door: door)
    }
}
