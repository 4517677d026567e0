import CLinux
import Files
import Glibc
import Threads

/// Turns signals into calls on a thread of its own. No other thread ever runs a handler.
public final class SignalWatch: Sendable {
    private let worker: Worker
    private let wake: FileDescriptor

    /// Blocks the signals this type watches in the calling thread and all it starts later, and ignores
    /// SIGPIPE. Call it first thing in `main`, before any thread.
    public static func blockSignals() {
        _ = clinux_signals_block(ServiceSignal.numbers, Int32(ServiceSignal.numbers.count))
        clinux_signal_ignore(SIGPIPE)
    }

    /// Starts watching.
    /// - Parameters:
    ///   - loops: those that the watch's thread belongs to.
    ///   - onFailure: called, on the watch's thread, when it cannot go on. Never after `stop`.
    ///   - receive: runs on the watch's thread.
    public init(loops: Loops = Loops(), onFailure: @escaping @Sendable (SystemError) -> Void = { _ in },
                _ receive: @escaping @Sendable (ServiceSignal) -> Void) throws(SystemError) {
        let wake = FileDescriptor(owning: try SystemError.check(clinux_eventfd_create(), "eventfd"))
        self.wake = wake
        let numbers = ServiceSignal.numbers
        let signals = FileDescriptor(owning: try SystemError.check(clinux_signalfd_create(numbers, Int32(numbers.count)), "signalfd"))
        let epoll = FileDescriptor(owning: try SystemError.check(clinux_epoll_create(), "epoll"))
        for descriptor in [wake, signals] {
            _ = try SystemError.check(clinux_epoll_add(epoll.raw, descriptor.raw, UInt32(CLINUX_READABLE)), "epoll")
        }
        // A reload puts the whole gate together anew on it: no small stack.
        worker = try Worker(name: "signals", loops: loops) { loop in
            _ = clinux_signals_block(numbers, Int32(numbers.count))
            if let failure = Self.run(epoll: epoll, signals: signals, wake: wake, loop, receive) { onFailure(failure) }
        }
    }

    /// Ends the watch. Not from `receive`.
    public func stop() {
        _ = clinux_eventfd_raise(wake.raw)
        worker.join()
    }

    /// Sends a signal to the watch's own thread.
    func raise(_ number: Int32) { worker.send(signal: number) }

    /// Nil when it was told to stop; else why it cannot go on.
    static func run(epoll: FileDescriptor, signals: FileDescriptor, wake: FileDescriptor, _ loop: Loop,
                    _ receive: (ServiceSignal) -> Void) -> SystemError? {
        var ready = [clinux_ready](repeating: clinux_ready(), count: 2)
        while true {
            let count = clinux_epoll_wait(epoll.raw, &ready, Int32(ready.count), loop.patience(atMost: -1))
            loop.comesRound()
            guard count >= 0 else { return SystemError("wait for signals", count) }
            for one in ready[..<Int(count)] {
                if one.descriptor == wake.raw { return nil }
                while let signal = ServiceSignal(number: clinux_signalfd_next(signals.raw)) { receive(signal) }
            }
        }
    }
}

/// What a signal asks of the service.
public enum ServiceSignal: Hashable, Sendable {
    /// SIGTERM, SIGINT: end in good order.
    case stop
    /// SIGHUP: read the configuration again.
    case reload

    static let numbers: [Int32] = [SIGTERM, SIGINT, SIGHUP]

    init?(number: Int32) {
        switch number {
        case SIGTERM, SIGINT: self = .stop
        case SIGHUP: self = .reload
        default: return nil
        }
    }
}
