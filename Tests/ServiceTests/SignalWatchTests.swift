import CLinux
import Glibc
import Files
@testable import Service
import Testing
import Threads
import Waits

@Suite("Signals")
struct SignalWatchTests {
    @Test("Signals become calls, in their order, on one thread")
    func signals() throws {
        let seen = Monitor<[ServiceSignal]>([])
        let watch = try SignalWatch { signal in seen.change { $0.append(signal) } }
        for (number, signal) in [(SIGHUP, ServiceSignal.reload), (SIGTERM, .stop), (SIGINT, .stop), (SIGHUP, .reload)] {
            let before = seen.withLock { $0.count }
            watch.raise(number)
            #expect(try seen.wait(for: "signal \(number)") { $0.count > before ? $0.last : nil } == signal)
        }
        watch.stop()
    }

    @Test("A watch that cannot go on says so; one that is stopped says nothing")
    func failure() throws {
        // What the kernel does not wait with: a descriptor that is no epoll.
        let noEpoll = FileDescriptor(owning: open("/dev/null", O_RDONLY | O_CLOEXEC))
        let answer = Monitor<SystemError?>(nil)
        try Worker(name: "no-epoll", loops: Loops()) { loop in
            let failure = SignalWatch.run(epoll: noEpoll, signals: noEpoll, wake: noEpoll, loop) { _ in }
            answer.withLock { $0 = failure }
        }.waitForEnd()
        #expect(answer.withLock { $0 } == SystemError("wait for signals", EINVAL))
        let failures = Monitor(0)
        try SignalWatch(onFailure: { _ in failures.withLock { $0 += 1 } }) { _ in }.stop()
        #expect(failures.withLock { $0 } == 0)
    }

    @Test("A watch without signals wakes to say that it waits; one that hangs is missed")
    func hanging() throws {
        let hold = Monitor(false), rounds = Monitor(0)
        let loops = Loops(limit: 200, onRound: { _ in
            rounds.change { $0 += 1 }
            hold.hold("the watch") { $0 }
        })
        let watch = try SignalWatch(loops: loops) { _ in }
        func verdict() throws -> LoopVerdict {
            let (name, state) = try #require(loops.states.first)
            #expect(name == "signals")
            return state.verdict(at: MonotonicTime.milliseconds, limit: loops.limit)
        }
        try rounds.wait(for: "six rounds") { $0 >= 6 ? () : nil }
        hold.change { $0 = true }
        try waitUntil("the watch to be missed", verdict) { $0 != .fine }
        hold.change { $0 = false }
        try waitUntil("the watch to be fine", verdict) { $0 == .fine }
        watch.stop()
        #expect(loops.states.isEmpty)
    }

    @Test("Blocked signals stay blocked in the threads that follow")
    func blocking() throws {
        let blocked = Mutex<[Int32]>([])
        let worker = try Worker(name: "blocks") {
            SignalWatch.blockSignals()
            // The second thread is the child of one that has blocked them.
            let inner = try? Worker(name: "inner") {
                blocked.withLock { $0 = ServiceSignal.numbers.filter { clinux_signal_is_blocked($0) == 1 } }
            }
            reportingWaits { try inner?.waitForEnd() }
        }
        try worker.waitForEnd()
        #expect(blocked.withLock { $0 } == ServiceSignal.numbers)
    }
}
