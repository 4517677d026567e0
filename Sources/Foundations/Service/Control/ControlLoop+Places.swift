import CLinux
import Files
import Glibc
import Threads

extension ControlLoop {
    private var places: ControlPlaces { ControlPlaces(limits: limits) }

    /// Gives a newcomer a place, or tells it that there is none.
    func receive(_ descriptor: FileDescriptor, _ peer: ControlPeer, _ now: Int64) {
        let connection = ControlConnection(descriptor: descriptor, peer: peer, limits: limits, notices: notices, now: now)
        if !hasPlace(for: peer, now) {
            connection.output.append(answer: notices.busy)
            turnAway(connection, now)
        }
        guard clinux_epoll_add(epoll.raw, descriptor.raw, connection.interest) == 0 else { return }
        connections[descriptor.raw] = connection
    }

    private func hasPlace(for peer: ControlPeer, _ now: Int64) -> Bool {
        let verdict = verdict(for: peer)
        switch verdict {
        case .free: return true
        case .userIsFull, .allTaken:
            closeLongestIdle(now) { places.makesRoom($0.peer.user, for: peer.user, verdict) }
            return self.verdict(for: peer) == .free
        }
    }

    private func verdict(for peer: ControlPeer) -> ControlPlaces.Verdict {
        places.verdict(for: peer.user, among: connections.values.lazy.filter(\.hasPlace).map(\.peer.user))
    }

    private func closeLongestIdle(_ now: Int64, _ mayGo: (ControlConnection) -> Bool) {
        let idle = connections.values.filter { $0.hasPlace && mayGo($0) && $0.isIdle(at: now, limit: limits.idleMilliseconds) }
        if let longest = idle.min(by: { $0.lastProgress < $1.lastProgress }) { close(longest) }
    }

    /// Says why, and waits until the client has hung up: whoever writes to a connection that is closed already does not read what was
    /// said on it. Of those that do not hang up the oldest are closed.
    private func turnAway(_ connection: ControlConnection, _ now: Int64) {
        connection.stage = .turnedAway
        _ = connection.send(now: now)
        shutdown(connection.descriptor.raw, Int32(SHUT_WR))
        let leaving = connections.values.filter { !$0.hasPlace }.sorted { $0.peer.connection < $1.peer.connection }
        for oldest in leaving.dropLast(Self.mostLeaving - 1) where oldest !== connection { close(oldest) }
    }

    /// Subscribes, where that user has not too many already.
    func subscribe(_ connection: ControlConnection, _ lines: [[UInt8]]) {
        let others = connections.values.lazy.filter { $0.isSubscribed && $0 !== connection }.map(\.peer.user)
        guard connection.isSubscribed || places.admitsSubscriber(of: connection.peer.user, among: others) else {
            connection.output.append(answer: notices.busy)
            connection.stage = .closing
            return
        }
        lines.forEach { connection.output.append(answer: $0) }
        connection.isSubscribed = true
        // Before the answer goes: whoever has read it misses no event.
        countSubscribers()
    }

    /// Whoever has read nothing for long, while events or answers waited for it, has forgotten us: its place is another's.
    func evictStalled(_ now: Int64) {
        for connection in connections.values where connection.isStalled(at: now, limit: limits.stallMilliseconds) {
            close(connection)
            onEviction(connection.peer)
        }
    }

    /// Connections that were told to go, and have not gone yet.
    private static let mostLeaving = 16
}

/// Who may have a place at the control socket. Some are kept for root, and no user may have more than a few: a program that forgets to
/// close its connections, or a person with bad intentions, keeps nobody out but itself.
struct ControlPlaces {
    /// Whether there is a place for a newcomer, or whose connections may make room for it.
    enum Verdict: Hashable {
        /// There is one.
        case free
        /// The newcomer's user has as many as a user may have: one of that user's has to go.
        case userIsFull
        /// All places are taken that this newcomer may have.
        case allTaken
    }

    let limits: ControlLimits

    /// - Parameter taken: the users of the connections that have places now.
    func verdict(for user: UInt32, among taken: some Sequence<UInt32>) -> Verdict {
        var all = 0, own = 0
        for other in taken {
            all += 1
            if other == user { own += 1 }
        }
        if user == Self.root { return all < limits.clients ? .free : .allTaken }
        if own >= limits.clientsOfUser { return .userIsFull }
        return all < limits.clients - limits.keptForRoot ? .free : .allTaken
    }

    /// Whether one more connection of a user may hear events.
    func admitsSubscriber(of user: UInt32, among subscribed: some Sequence<UInt32>) -> Bool {
        user == Self.root || subscribed.count(where: { $0 == user }) < limits.subscribersOfUser
    }

    /// Whether the connection of one user may make room for a newcomer. Root makes room for nobody else.
    func makesRoom(_ user: UInt32, for newcomer: UInt32, _ verdict: Verdict) -> Bool {
        switch verdict {
        case .free: false
        case .userIsFull: user == newcomer
        case .allTaken: user != Self.root || newcomer == Self.root
        }
    }

    private static let root: UInt32 = 0
}

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
