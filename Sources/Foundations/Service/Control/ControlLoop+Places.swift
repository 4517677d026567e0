import CLinux
import Files
import Glibc

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
