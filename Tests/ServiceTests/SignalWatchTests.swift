import CLinux
import Glibc
@testable import Service
import Testing
import Threads

@Suite("Signals")
struct SignalWatchTests {
    @Test("Signals become calls, in their order, on one thread")
    func signals() throws {
        let seen = Monitor<[ServiceSignal]>([])
        let watch = try SignalWatch { signal in seen.change { $0.append(signal) } }
        for (number, signal) in [(SIGHUP, ServiceSignal.reload), (SIGTERM, .stop), (SIGINT, .stop), (SIGHUP, .reload)] {
            let before = seen.withLock { $0.count }
            watch.raise(number)
            #expect(seen.wait { $0.count > before ? $0.last : nil } == signal)
        }
        watch.stop()
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
            inner?.join()
        }
        worker.join()
        #expect(blocked.withLock { $0 } == ServiceSignal.numbers)
    }
}
