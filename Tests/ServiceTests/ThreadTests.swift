import CLinux
import Foundation
@testable import Service
import Synchronization
import Testing

@Suite("Threads, locks, signals")
struct ThreadTests {
    @Test("A worker has its name and an end that several may wait for")
    func worker() throws {
        let name = Mutex("")
        let worker = try Worker(name: "a-name-longer-than-fifteen") {
            var buffer = [CChar](repeating: 0, count: 16)
            clinux_thread_name(&buffer)
            name.withLock { $0 = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) }
        }
        let second = try Worker(name: "second") { worker.join() }
        worker.join()
        second.join()
        worker.join()
        #expect(name.withLock { $0 } == "a-name-longer-t")
        #expect(!worker.isCurrent)
    }

    @Test("A worker that waits for itself goes on")
    func selfJoin() throws {
        let box = Monitor<Worker?>(nil)
        let went = Monitor(false)
        let worker = try Worker(name: "self") {
            box.wait { $0 }.join()
            went.change { $0 = true }
        }
        box.change { $0 = worker }
        worker.join()
        #expect(went.withLock { $0 })
    }

    @Test("A thread that cannot be started is an error, not a crash")
    func tooSmall() {
        #expect(throws: SystemError("start thread tiny", EINVAL)) { try Worker(name: "tiny", stackBytes: 1) {} }
    }

    @Test("A monitor hands values from thread to thread")
    func monitor() throws {
        let monitor = Monitor<[Int]>([])
        let worker = try Worker(name: "giver") { for number in 0..<1000 { monitor.change { $0.append(number) } } }
        var got: [Int] = []
        while got.count < 1000 {
            got += monitor.wait { numbers -> [Int]? in
                defer { numbers = [] }
                return numbers.isEmpty ? nil : numbers
            }
        }
        worker.join()
        #expect(got == Array(0..<1000))
    }

    @Test("A wait with a deadline that has passed asks once more and gives up")
    func deadline() {
        let monitor = Monitor(0)
        var asked = 0
        let answer: Int? = monitor.wait(untilNanoseconds: SystemClock.monotonicNanoseconds - 1) { _ in
            asked += 1
            return nil
        }
        #expect(answer == nil)
        #expect(asked == 2)
        #expect(monitor.wait(untilNanoseconds: .max / 2) { $0 == 0 ? "zero" : nil } == "zero")
    }

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
