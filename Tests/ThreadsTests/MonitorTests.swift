import Testing
import Threads
import Waits

@Suite("Monitors")
struct MonitorTests {
    @Test("A monitor hands values from thread to thread")
    func monitor() throws {
        let monitor = Monitor<[Int]>([])
        let worker = try Worker(name: "giver") { for number in 0..<1000 { monitor.change { $0.append(number) } } }
        let got = try inTime("a thousand values") {
            var got: [Int] = []
            while got.count < 1000 {
                got += monitor.wait { numbers -> [Int]? in
                    defer { numbers = [] }
                    return numbers.isEmpty ? nil : numbers
                }
            }
            return got
        }
        try worker.waitForEnd()
        #expect(got == Array(0..<1000))
    }

    @Test("A wait with a deadline that has passed asks once more and gives up")
    func deadline() {
        let monitor = Monitor(0)
        var asked = 0
        let answer: Int? = monitor.wait(untilNanoseconds: MonotonicTime.nanoseconds - 1) { _ in
            asked += 1
            return nil
        }
        #expect(answer == nil)
        #expect(asked == 2)
        for longAgo in [Int64.min, -1, 0] {
            #expect(monitor.wait(untilNanoseconds: longAgo) { _ in Int?.none } == nil)
        }
        #expect(monitor.wait(untilNanoseconds: .max / 2) { $0 == 0 ? "zero" : nil } == "zero")
    }

    @Test("A step waits as long as the value says, and is asked anew after each change")
    func steps() throws {
        let monitor = Monitor((count: 0, asked: 0))
        let worker = try Worker(name: "giver") { for _ in 0..<3 { monitor.change { $0.count += 1 } } }
        let found = try inTime("the third change") {
            monitor.waitForStep { state -> WaitStep<Int> in
                state.count == 3 ? .proceed(state.count) : .wait(until: nil)
            }
        }
        try worker.waitForEnd()
        #expect(found == 3)
        let soon = MonotonicTime.milliseconds + 20
        let late = try inTime("a time that comes") {
            monitor.waitForStep { state -> WaitStep<Int64> in
                state.asked += 1
                let now = MonotonicTime.milliseconds
                return now >= soon ? .proceed(now) : .wait(until: soon)
            }
        }
        #expect(late >= soon)
        #expect(monitor.withLock { $0.asked } >= 2)
    }

    @Test("An error leaves the lock free")
    func errors() {
        let monitor = Monitor(1)
        #expect(throws: SystemError("x", 1)) {
            try monitor.withLock { (_) throws(SystemError) in throw SystemError("x", 1) }
        }
        #expect(monitor.withLock { $0 } == 1)
    }
}
