import Service
import Testing
import Threads
import Waits

@Suite struct ClockAlarmTests {
    /// Runs `body` as a loop of its own thread, and gives what it answers.
    private func onLoop<Answer: Sendable>(_ body: @escaping @Sendable (Loop) -> Answer) throws -> Answer {
        let answer = Monitor<Answer?>(nil)
        let worker = try Worker(name: "alarm", loops: Loops()) { loop in
            let got = body(loop)
            answer.change { $0 = got }
        }
        let got = try answer.wait(for: "the alarm to be heard") { $0 }
        try worker.waitForEnd()
        return got
    }

    @Test func aTimeThatHasPassedRingsOnceASecond() throws {
        let alarm = try ClockAlarm()
        let before = MonotonicTime.milliseconds
        let rang = try onLoop { loop in
            (0..<3).allSatisfy { _ in
                alarm.arm(atSeconds: 0, now: 1)
                return alarm.wait(atMost: 3_600_000, loop)
            }
        }
        #expect(rang)
        // The first second may be nearly over; the two others are whole, but for what a clock that is slewed makes of them.
        #expect(MonotonicTime.milliseconds >= before + 1900)
    }

    @Test func whoeverWakesItIsHeardOnceAlsoBeforehand() throws {
        let alarm = try ClockAlarm()
        alarm.arm(atSeconds: nil, now: 1)
        alarm.wake()
        alarm.wake()
        #expect(try onLoop { alarm.wait(atMost: 3_600_000, $0) })
        let before = MonotonicTime.milliseconds
        #expect(try onLoop { alarm.wait(atMost: 30, $0) })
        #expect(MonotonicTime.milliseconds >= before + 30, "nothing is left of a wake-up that was heard")
    }

    @Test func afterTheStopNobodyWaits() throws {
        let alarm = try ClockAlarm()
        alarm.arm(atSeconds: nil, now: 1)
        alarm.stop()
        #expect(try onLoop { alarm.wait(atMost: 3_600_000, $0) } == false)
        #expect(try onLoop { alarm.wait(atMost: 3_600_000, $0) } == false)
    }
}
