import CLinux
import Glibc
import Threads

/// The thread of a virtual PN532, and what other threads may do to the chip. The lock is held while the phone's handler runs;
/// listeners are told without it.
final class PN532Life: Sendable {
    private struct State: Sendable {
        var chip: PN532Chip
        var port: PseudoTerminal?
        /// Where the port was last.
        var lastPath: String
        var isStopping = false
    }

    private let state: Mutex<State>
    private let link: String?
    private let clock: ScaledClock
    private let listeners: PN532Listeners
    private let wakeUp: Int32
    private let timer: Int32

    init(link: String?, chip: PN532Chip, clock: ScaledClock, listeners: PN532Listeners) throws(SystemError) {
        self.link = link
        self.clock = clock
        self.listeners = listeners
        let port = try PseudoTerminal()
        state = Mutex(State(chip: chip, port: port, lastPath: port.path))
        wakeUp = clinux_eventfd_create()
        timer = clinux_timerfd_create()
        _ = try SystemError.check(wakeUp, "make a wake-up")
        _ = try SystemError.check(timer, "make a timer")
        try point(to: port)
    }

    deinit {
        if wakeUp >= 0 { close(wakeUp) }
        if timer >= 0 { close(timer) }
    }

    // Any thread ----------------------------------------------------------------------------------

    var time: Int64 { clock.now }

    var path: String? { state.withLock { $0.port?.path } }

    func look<Result: Sendable>(_ body: (PN532Chip) -> Result) -> Result {
        state.withLock { body($0.chip) }
    }

    func change(_ body: (inout PN532Chip) -> Void) { update { body(&$0.chip) } }

    func unplug() {
        update { state in
            state.port = nil
            state.chip.reset()
        }
        if let link { unlink(link) }
    }

    func plugIn() throws(SystemError) {
        // The old number may be free again; while it is held it is not given out.
        let first = try PseudoTerminal()
        let isAsBefore = state.withLock(\.lastPath) == first.path
        let port = isAsBefore ? try PseudoTerminal() : first
        defer { withExtendedLifetime(first) {} }
        update { state in
            state.port = port
            state.lastPath = port.path
            state.chip.reset()
        }
        try point(to: port)
    }

    func stop() {
        state.withLock { $0.isStopping = true }
        wake()
    }

    /// Whatever is done to the chip is done now by its clock.
    private func update(_ body: (inout State) -> Void) {
        state.withLock { state in
            state.chip.air.time = max(state.chip.air.time, clock.now)
            body(&state)
        }
        wake()
    }

    private func wake() { _ = clinux_eventfd_raise(wakeUp) }

    /// The link changes at once, so that nobody finds none.
    private func point(to port: PseudoTerminal) throws(SystemError) {
        guard let link else { return }
        unlink(link + ".new")
        guard symlink(port.path, link + ".new") == 0, rename(link + ".new", link) == 0 else { throw SystemError("link \(link)", errno) }
    }

    // The chip's thread -----------------------------------------------------------------------------

    func run() {
        defer { if let link { unlink(link) } }
        while true {
            guard let (port, next) = state.withLock({ state in
                state.isStopping ? nil : (state.port, state.chip.nextTime)
            }) else { return }
            _ = clinux_timerfd_arm(timer, next.map { max(1, clock.machineTime(of: $0)) } ?? 0)
            wait(at: port)
            work(at: port)
        }
    }

    /// Until the host says something, the chip has something to say, or somebody has changed something.
    private func wait(at port: PseudoTerminal?) {
        let descriptors = [wakeUp, timer] + [port?.raw].compactMap(\.self)
        _ = clinux_poll_any(descriptors, Int32(descriptors.count), -1)
        _ = clinux_eventfd_clear(wakeUp)
        _ = clinux_timerfd_clear(timer)
    }

    private func work(at port: PseudoTerminal?) {
        let bytes = port?.read() ?? []
        state.withLock { state in
            // The port may have gone meanwhile, and the bytes with it.
            if state.port === port, !bytes.isEmpty { state.chip.receive(bytes, at: clock.now) }
        }
        while advance(at: port) {}
    }

    /// True when there is more to do at once. What a host is told goes out before a phone computes, and before anybody hears that
    /// the phone has answered and takes it away.
    private func advance(at port: PseudoTerminal?) -> Bool {
        let (pieces, records, events, goesOn) = state.withLock { state in
            let pieces = state.port === port ? state.chip.advance(to: clock.now) : []
            let goesOn = state.port === port && !state.isStopping && state.chip.nextTime.map { $0 <= clock.now } ?? false
            return (pieces, state.chip.air.drainRecords(), state.chip.air.drainEvents(), goesOn)
        }
        for piece in pieces { port?.write(piece) }
        listeners.notify(records, events)
        return goesOn
    }
}

/// Who hears what happens at a virtual PN532.
struct PN532Listeners: Sendable {
    let onAir: VirtualPN532.OnAir
    let onCard: VirtualPN532.OnCard

    func notify(_ records: [AirRecord], _ events: [CardEvent]) {
        for record in records { onAir(record) }
        for event in events { onCard(event) }
    }
}
