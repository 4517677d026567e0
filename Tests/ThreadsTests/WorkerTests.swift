import CLinux
import Glibc
import Testing
import Threads
import Waits

@Suite("Workers")
struct WorkerTests {
    @Test("A worker has its name and an end that several may wait for")
    func worker() throws {
        let name = Mutex("")
        let worker = try Worker(name: "a-name-longer-than-fifteen") {
            var buffer = [CChar](repeating: 0, count: 16)
            clinux_thread_name(&buffer)
            name.withLock { $0 = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) }
        }
        let second = try Worker(name: "second") { worker.join() }
        try inTime("the worker's end") { worker.join() }
        try inTime("the end of who waited for it too") { second.join() }
        try inTime("an end that has come") { worker.join() }
        #expect(name.withLock { $0 } == "a-name-longer-t")
        #expect(!worker.isCurrent)
    }

    @Test("A worker that waits for itself goes on")
    func selfJoin() throws {
        let box = Monitor<Worker?>(nil)
        let went = Monitor(false)
        let worker = try Worker(name: "self") {
            reportingWaits { try box.wait(for: "the worker itself") { $0 }.join() }
            went.change { $0 = true }
        }
        box.change { $0 = worker }
        try worker.waitForEnd()
        #expect(went.withLock { $0 })
    }

    @Test("A thread that cannot be started is an error, not a crash")
    func tooSmall() {
        #expect(throws: SystemError("start thread tiny", EINVAL)) { try Worker(name: "tiny", stackBytes: 1) {} }
    }

    @Test("A wait for the end of a thread that is held up has a bound, and may be repeated")
    func boundedEnd() throws {
        let held = Monitor(true)
        let worker = try Worker(name: "held") { held.hold("the worker") { $0 } }
        #expect(worker.name == "held")
        #expect(!worker.ends(byMonotonicMilliseconds: 0))
        let soon = MonotonicTime.milliseconds + 20
        #expect(!worker.ends(byMonotonicMilliseconds: soon))
        #expect(MonotonicTime.milliseconds >= soon)
        held.change { $0 = false }
        #expect(try inTime("the worker's end") { worker.ends(byMonotonicMilliseconds: .max) })
        #expect(worker.ends(byMonotonicMilliseconds: 0))
    }

    @Test("A thread that asks for its own end is told that it still runs")
    func ownEnd() throws {
        let box = Monitor<Worker?>(nil)
        let answer = Monitor<Bool?>(nil)
        let worker = try Worker(name: "self") {
            reportingWaits {
                let myself = try box.wait(for: "the worker itself") { $0 }
                answer.change { $0 = myself.ends(byMonotonicMilliseconds: 0) }
            }
        }
        box.change { $0 = worker }
        #expect(try !answer.wait(for: "the worker's answer") { $0 })
        try worker.waitForEnd()
    }
}
