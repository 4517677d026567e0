import CLinux
import Files
import Glibc
import Threads

/// The control server's thread: accepts, reads, asks the handler, sends. One turn of `run` per wake-up.
final class ControlLoop {
    typealias Handler = @Sendable (ControlPeer, [UInt8]) -> ControlReply

    private let listeners: [FileDescriptor]
    let epoll: FileDescriptor
    private let mailbox: ControlMailbox
    private let work: ControlWork
    let limits: ControlLimits
    let notices: ControlNotices
    let onEviction: @Sendable (ControlPeer) -> Void
    private let handler: Handler
    private let loop: Loop
    var connections: [Int32: ControlConnection] = [:]
    private var lastConnection: UInt64 = 0
    private var piece = [UInt8](repeating: 0, count: 16 * 1024)
    /// Those of whom lines have come that were not heard yet: everybody else has a turn before them.
    private var unheard: Set<Int32> = []
    /// Lines of one client that are heard in one turn: whoever sends a thousand holds up neither others nor the watchdog.
    private static let linesInTurn = 4
    /// Accepting failed (no descriptors left); it is tried again a little later instead of at once for ever.
    private var acceptingIsPaused = false
    private static let acceptPauseMilliseconds: Int32 = 200
    /// Between two looks at whether those for whom something waits have taken any of it.
    private static let stallLookMilliseconds: Int32 = 1000

    /// What the loop waits with: the listeners and the mailbox are in it from the start.
    static func makeEpoll(_ listeners: [FileDescriptor], _ mailbox: ControlMailbox) throws(SystemError) -> FileDescriptor {
        let epoll = FileDescriptor(owning: try SystemError.check(clinux_epoll_create(), "epoll"))
        for descriptor in listeners + [mailbox.wake] {
            _ = try SystemError.check(clinux_epoll_add(epoll.raw, descriptor.raw, UInt32(CLINUX_READABLE)), "epoll")
        }
        return epoll
    }

    init(epoll: FileDescriptor, listeners: [FileDescriptor], mailbox: ControlMailbox, work: ControlWork,
         limits: ControlLimits, notices: ControlNotices, loop: Loop, onEviction: @escaping @Sendable (ControlPeer) -> Void,
         handler: @escaping Handler) {
        self.loop = loop
        self.epoll = epoll
        self.listeners = listeners
        self.mailbox = mailbox
        self.work = work
        self.limits = limits
        self.notices = notices
        self.onEviction = onEviction
        self.handler = handler
    }

    /// Serves until the mailbox says stop: nil. Anything else it answers is why it cannot go on.
    func run() -> SystemError? {
        var ready = [clinux_ready](repeating: clinux_ready(), count: 32)
        while true {
            let count = clinux_epoll_wait(epoll.raw, &ready, Int32(ready.count), loop.patience(atMost: mostPatience))
            loop.comesRound()
            guard count >= 0 else { return SystemError("wait for the control socket", count) }
            if acceptingIsPaused { resumeAccepting() }
            let now = MonotonicTime.milliseconds
            let waiting = unheard
            unheard = []
            var knocks: [Int] = []
            for one in ready[..<Int(count)] {
                if one.descriptor == mailbox.wake.raw {
                    if emptyMailbox(now) == .stop { return nil }
                } else if let door = listeners.firstIndex(where: { $0.raw == one.descriptor }) {
                    knocks.append(door)
                } else if let connection = connections[one.descriptor] {
                    serve(connection, events: one.events, now)
                }
            }
            for connection in waiting.compactMap({ connections[$0] }) { goOn(connection, now) }
            // Last, so that a newcomer who is given a number freed in this turn is not taken for its old owner.
            for door in knocks { accept(door, now) }
            evictStalled(now)
        }
    }

    /// How long the loop may sleep at the most, in milliseconds; -1: until something comes.
    private var mostPatience: Int32 {
        if !unheard.isEmpty { return 0 }
        if acceptingIsPaused { return Self.acceptPauseMilliseconds }
        return connections.values.contains { !$0.output.isEmpty } ? Self.stallLookMilliseconds : -1
    }

    // MARK: Connections

    private func accept(_ door: Int, _ now: Int64) {
        let answer = clinux_accept(listeners[door].raw)
        guard answer >= 0 else {
            if answer != -EAGAIN, answer != -ECONNABORTED { pauseAccepting() }
            return
        }
        let descriptor = FileDescriptor(owning: answer)
        lastConnection += 1
        guard let peer = try? ControlPeer(connection: lastConnection, descriptor: descriptor.raw, door: door) else { return }
        receive(descriptor, peer, now)
    }

    private func pauseAccepting() {
        _ = watchListeners(0)
        acceptingIsPaused = true
    }

    private func resumeAccepting() {
        acceptingIsPaused = !watchListeners(UInt32(CLINUX_READABLE))
    }

    private func watchListeners(_ events: UInt32) -> Bool {
        listeners.allSatisfy { clinux_epoll_change(epoll.raw, $0.raw, events) == 0 }
    }

    func close(_ connection: ControlConnection) {
        _ = clinux_epoll_remove(epoll.raw, connection.descriptor.raw)
        connections[connection.descriptor.raw] = nil
        unheard.remove(connection.descriptor.raw)
        if connection.isSubscribed { countSubscribers() }
    }

    func countSubscribers() { mailbox.setHeard(connections.values.contains { $0.isSubscribed }) }

    // MARK: Lines

    private func serve(_ connection: ControlConnection, events: UInt32, _ now: Int64) {
        let broken = events & UInt32(CLINUX_FAILED | CLINUX_HUNG_UP) != 0
        if events & UInt32(CLINUX_READABLE) != 0, !connection.receive(into: &piece, now: now) { return close(connection) }
        if broken, events & UInt32(CLINUX_READABLE) == 0 { return close(connection) }
        goOn(connection, now)
    }

    /// Hears some of the lines that have come whole, sends what there is to send, and watches for what comes next.
    private func goOn(_ connection: ControlConnection, _ now: Int64) {
        handleInput(connection)
        guard connection.send(now: now) else { return close(connection) }
        if connection.hasMoreToHear {
            unheard.insert(connection.descriptor.raw)
        } else if connection.isFinished || (connection.hasFinishedSending && connection.isSubscribed) {
            return close(connection)
        }
        let wanted = connection.wantedInterest
        guard wanted != connection.interest else { return }
        connection.interest = wanted
        if clinux_epoll_change(epoll.raw, connection.descriptor.raw, wanted) != 0 { close(connection) }
    }

    private func handleInput(_ connection: ControlConnection) {
        for _ in 0..<Self.linesInTurn where connection.stage == .hearing && !connection.output.isFull {
            switch connection.input.next() {
            case nil: return
            case .overlong?:
                connection.output.append(answer: notices.overlong)
                connection.stage = .closing
            case .line(let line)?:
                obey(handler(connection.peer, line), connection)
            }
        }
    }

    private func obey(_ reply: ControlReply, _ connection: ControlConnection) {
        let file = connection.removePassedFile()
        switch reply {
        case .lines(let lines):
            lines.forEach { connection.output.append(answer: $0) }
        case .subscribe(let lines):
            subscribe(connection, lines)
        case .work(let body):
            connection.stage = .working
            work.add(connection: connection.peer.connection, body)
        case .workOnFile(let body):
            connection.stage = .working
            work.add(connection: connection.peer.connection) { body(file) }
        case .close(let lines):
            lines.forEach { connection.output.append(answer: $0) }
            connection.stage = .closing
        }
    }

    // MARK: Mailbox

    private enum Verdict { case goOn, stop }

    private func emptyMailbox(_ now: Int64) -> Verdict {
        let contents = mailbox.empty()
        for answer in contents.answers {
            guard let connection = connections.values.first(where: { $0.peer.connection == answer.connection }) else { continue }
            answer.lines.forEach { connection.output.append(answer: $0) }
            connection.stage = .hearing
            if !connection.isSubscribed { goOn(connection, now) }
        }
        for connection in connections.values where connection.isSubscribed {
            contents.events.forEach { connection.output.append(event: $0) }
            connection.output.countDropped(contents.dropped)
            goOn(connection, now)
        }
        return contents.stop ? .stop : .goOn
    }
}
