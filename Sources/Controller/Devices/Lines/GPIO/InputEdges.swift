import CGPIOD
import CLinux
import Files
import Threads

/// Gathers what happens to the inputs of one bank: edges that the kernel has kept, levels that were found, lines that
/// were lost. One descriptor tells of all of them.
///
/// The thread of inputs takes; whoever opens or loses a line adds and removes it. `state` guards what is watched and noted; no line is
/// touched under it.
final class InputEdges: Sendable {
    private struct Watched {
        let name: LineName
        let held: HeldLine
        /// That of the last edge, 0 before the first one: the next one follows it, unless edges were lost.
        var sequence: UInt32 = 0
    }

    private struct State {
        var watched: [Int32: Watched] = [:]
        /// What waits besides the edges in the kernel.
        var noted: [LineEvent] = []
    }

    /// So many edges of a line are taken at once; those that remain are taken at the next time.
    private static let mostAtOnce = 2 * Int(CGPIOD_EDGES_KEPT)

    private let epoll: FileDescriptor
    private let bell: FileDescriptor
    private let state = Mutex(State())

    init() throws(SystemError) {
        epoll = FileDescriptor(owning: try SystemError.check(clinux_epoll_create(), "epoll"))
        bell = FileDescriptor(owning: try SystemError.check(clinux_eventfd_create(), "eventfd"))
        _ = try SystemError.check(clinux_epoll_add(epoll.raw, bell.raw, UInt32(CLINUX_READABLE)), "epoll")
    }

    /// Readable while something waits.
    var descriptor: Int32 { epoll.raw }

    /// From now on this input is watched. Its level is noted as found.
    func add(_ name: LineName, _ held: HeldLine) throws(LineError) {
        // The time before the level: whatever the kernel tells with a later time has happened since.
        let now = MonotonicTime.nanoseconds
        let level = try held.read()
        state.withLock { state in
            state.watched[held.descriptor] = Watched(name: name, held: held)
            state.noted.append(LineEvent(name, .found(active: level), nanoseconds: now))
        }
        _ = clinux_epoll_add(epoll.raw, held.descriptor, UInt32(CLINUX_READABLE))
        _ = clinux_eventfd_raise(bell.raw)
    }

    /// The input cannot be read any more, or could not from the beginning. Before its line is given back: its descriptor
    /// may be another one's at once.
    func remove(_ name: LineName, _ held: HeldLine? = nil) {
        if let held { _ = clinux_epoll_remove(epoll.raw, held.descriptor) }
        state.withLock { state in
            if let held { state.watched[held.descriptor] = nil }
            state.noted.append(LineEvent(name, .lost, nanoseconds: MonotonicTime.nanoseconds))
        }
        _ = clinux_eventfd_raise(bell.raw)
    }

    /// Everything that waits, in the order of time, and the lines that could not be read.
    func drain() -> (events: [LineEvent], broken: [(LineName, HeldLine, LineError)]) {
        _ = clinux_eventfd_clear(bell.raw)
        var events = state.withLock { state in
            defer { state.noted = [] }
            return state.noted
        }
        var broken: [(LineName, HeldLine, LineError)] = []
        for watched in waiting() {
            do throws(LineError) {
                events += try fetch(watched)
            } catch {
                broken.append((watched.name, watched.held, error))
            }
        }
        let order = events.indices.sorted { (events[$0].nanoseconds, $0) < (events[$1].nanoseconds, $1) }
        return (order.map { events[$0] }, broken)
    }

    /// The inputs that the kernel has something to tell of. All of them where there may be more than it names at once.
    private func waiting() -> [Watched] {
        var ready = [clinux_ready](repeating: clinux_ready(), count: 64)
        let count = max(0, Int(clinux_epoll_wait(epoll.raw, &ready, Int32(ready.count), 0)))
        return state.withLock { state in
            count < ready.count ? ready[..<count].compactMap { state.watched[$0.descriptor] } : Array(state.watched.values)
        }
    }

    private func fetch(_ watched: Watched) throws(LineError) -> [LineEvent] {
        let edges = try watched.held.fetchEdges(atMost: Self.mostAtOnce)
        guard let last = edges.last else {
            // Ready without an edge: the chip has gone.
            _ = try watched.held.read()
            return []
        }
        state.withLock { $0.watched[watched.held.descriptor]?.sequence = last.sequence }
        let (events, wereLost) = Self.events(of: watched.name, edges, after: watched.sequence)
        guard wereLost else { return events }
        let now = MonotonicTime.nanoseconds
        let level = try watched.held.read()
        return level == last.active ? events : events + [LineEvent(watched.name, .resumed(active: level), nanoseconds: now)]
    }

    /// What edges tell. The kernel counts those that it had no room for, too.
    static func events(of name: LineName, _ edges: [cgpiod_edge], after sequence: UInt32) -> (events: [LineEvent], wereLost: Bool) {
        var sequence = sequence
        var wereLost = false
        let events = edges.map { edge in
            let isNext = edge.sequence == sequence &+ 1
            sequence = edge.sequence
            wereLost = wereLost || !isNext
            return LineEvent(name, isNext ? .moved(active: edge.active) : .resumed(active: edge.active), nanoseconds: edge.nanoseconds)
        }
        return (events, wereLost)
    }
}
