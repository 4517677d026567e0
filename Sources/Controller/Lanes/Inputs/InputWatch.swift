import CLinux
import Files
import Gate
import Lines
import Service
import Threads

/// The thread that listens to every contact of the gate, whatever chip it is on. It sleeps until one moves, or one that
/// has moved has been quiet for its time.
///
/// Its thread looks, any other may ask for `reports`. Each lock guards one value; none is taken under another, and nobody is told under one.
package final class InputWatch: Sendable {
    /// Told what a contact has come to. Must not wait for anything.
    package typealias Receiver = @Sendable (InputBoard.Delivery) -> Void
    /// Told once for each lane that all of its contacts have been read since the start. Must not wait either.
    package typealias Reading = @Sendable (_ lane: String) -> Void

    private let bank: any LineBank
    private let loops: Loops
    private let log: Log
    private let board: Mutex<InputBoard>
    private let lost = Mutex<Set<LineName>>([])
    private let wake: FileDescriptor
    private let stopping = Mutex(false)
    private let worker = Monitor<Worker?>(nil)

    /// - Throws: when the system grants no descriptor.
    package init(_ board: InputBoard, bank: any LineBank, loops: Loops, log: Log) throws(SystemError) {
        self.board = Mutex(board)
        self.bank = bank
        self.loops = loops
        self.log = log
        wake = FileDescriptor(owning: try SystemError.check(clinux_eventfd_create(), "eventfd"))
    }

    /// How every input is.
    package var reports: [InputBoard.Report] { board.withLock { $0.reports } }

    /// Starts the thread; a gate without inputs needs none.
    package func start(_ receive: @escaping Receiver, whenRead: @escaping Reading = { _ in }) throws(SystemError) {
        guard !board.withLock({ $0.isEmpty }), let inputs = bank.inputDescriptor else {
            for lane in board.withLock({ $0.drainRead(at: Instant(milliseconds: .max)) }) { whenRead(lane) }
            return
        }
        let epoll = FileDescriptor(owning: try SystemError.check(clinux_epoll_create(), "epoll"))
        for descriptor in [wake.raw, inputs] {
            _ = try SystemError.check(clinux_epoll_add(epoll.raw, descriptor, UInt32(CLINUX_READABLE)), "epoll")
        }
        let started = try Worker(name: "inputs", loops: loops) { [self] loop in run(epoll, loop, receive, whenRead) }
        worker.withLock { $0 = started }
    }

    /// Ends the thread and waits for its end.
    package func stop() {
        stopping.withLock { $0 = true }
        _ = clinux_eventfd_raise(wake.raw)
        worker.withLock { $0 }?.join()
    }

    private func run(_ epoll: FileDescriptor, _ loop: Loop, _ receive: Receiver, _ whenRead: Reading) {
        var ready = [clinux_ready](repeating: clinux_ready(), count: 2)
        look(receive, whenRead)
        while !stopping.withLock({ $0 }) {
            _ = clinux_epoll_wait(epoll.raw, &ready, Int32(ready.count), loop.patience(atMost: patience))
            loop.comesRound()
            look(receive, whenRead)
        }
    }

    /// One look at what has happened. The time is taken first: what happened before it is among the events then.
    package func look(_ receive: Receiver, _ whenRead: Reading = { _ in }) {
        let now = Instant(milliseconds: MonotonicTime.milliseconds)
        let events = Loop.outside(.chips) { bank.drainInputEvents() }
        note(events)
        let deliveries = board.withLock { board in
            events.compactMap { board.receive($0) } + board.advance(to: now)
        }
        for delivery in deliveries { receive(delivery) }
        for lane in board.withLock({ $0.drainRead(at: now) }) { whenRead(lane) }
    }

    /// Milliseconds until something has been quiet for its time; -1 while nothing moves.
    private var patience: Int32 {
        guard let next = board.withLock({ $0.nextChange }) else { return -1 }
        return Int32(clamping: max(0, next.milliseconds - MonotonicTime.milliseconds + 1))
    }

    /// Says once that a line cannot be read, and that it is back.
    private func note(_ events: [LineEvent]) {
        for event in events {
            switch event.happening {
            case .lost:
                guard lost.withLock({ $0.insert(event.line).inserted }) else { continue }
                let fault = bank.faults[event.line]
                log.error("\(fault?.code ?? "line-failed"): input \(event.line): \(fault?.message ?? "The line is gone.")")
            case .found:
                if lost.withLock({ $0.remove(event.line) }) != nil { log.notice("input \(event.line) can be read again") }
            case .moved, .resumed:
                continue
            }
        }
    }
}
