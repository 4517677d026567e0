import Testing
import Threads

@Suite("The monotonic clock")
struct MonotonicTimeTests {
    @Test("It is one clock in three units")
    func units() {
        let milliseconds = MonotonicTime.milliseconds
        let microseconds = MonotonicTime.microseconds
        let nanoseconds = MonotonicTime.nanoseconds
        #expect(milliseconds <= microseconds / 1000 && microseconds <= nanoseconds / 1000)
        #expect(MonotonicTime.nanoseconds >= nanoseconds)
    }

    @Test("A time too far away for nanoseconds is as far away as they go")
    func far() {
        #expect(MonotonicTime.nanoseconds(atMilliseconds: 2) == 2_000_000)
        #expect(MonotonicTime.nanoseconds(atMilliseconds: .max) == .max)
        #expect(MonotonicTime.nanoseconds(atMilliseconds: .min) == .min)
    }
}
