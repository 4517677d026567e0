import Testing

@testable import Radio

@Suite("A bluetoothd that hangs")
struct ServiceWatchTests {
    static let patience = RadioPatience(join: 0, quiet: 30_000, doubt: 2_000, silent: 5_000)

    @Test func aQuietOneIsAskedNowAndThen() {
        var watch = ServiceWatch(Self.patience, now: 100)
        #expect(watch.next(after: 100) == 30_100)
        let early = watch.isQuestionDue(at: 30_099)
        #expect(!early)
        let due = [watch.isQuestionDue(at: 30_100), watch.isQuestionDue(at: 30_100)]
        #expect(due == [true, false])
        watch.asked(now: 30_100)
        watch.received(owesMore: false, now: 30_101)
        #expect(watch.next(after: 30_101) == 60_101)
        #expect(watch.silence(at: 60_000) == nil)
    }

    @Test func oneThatOwesAnAnswerIsAskedSoonerAndSilentThen() {
        var watch = ServiceWatch(Self.patience, now: 0)
        watch.asked(now: 1_000)
        watch.asked(now: 4_000)
        #expect(watch.next(after: 1_000) == 3_000)
        let due = watch.isQuestionDue(at: 3_000)
        #expect(due)
        watch.asked(now: 3_000)
        #expect(watch.next(after: 3_000) == 6_000)
        #expect(watch.silence(at: 5_999) == nil)
        #expect(watch.silence(at: 6_000) == 1_000)
        // No more wake-ups for that.
        #expect(watch.next(after: 6_000) == 33_000)
    }

    @Test func whoeverSaysAnythingDoesNotHang() {
        var watch = ServiceWatch(Self.patience, now: 0)
        watch.asked(now: 1_000)
        // The end of a link takes its time; the question in between is answered.
        watch.received(owesMore: true, now: 3_001)
        #expect(watch.silence(at: 20_000) == nil)
        #expect(watch.next(after: 3_001) == 5_001)
        let due = watch.isQuestionDue(at: 5_001)
        #expect(due)
        watch.asked(now: 5_001)
        #expect(watch.silence(at: 10_001) == 5_001)
        watch.received(owesMore: false, now: 11_000)
        #expect(watch.silence(at: 20_000) == nil)
    }

    @Test func nothingIsOwedForEver() {
        var pending = PendingCalls()
        pending.add(1, .life, now: 100)
        pending.add(2, .command, now: 200)
        #expect(pending.owes(besides: nil))
        #expect(!pending.owes(besides: 1))
        let none = pending.expire(at: 100 + PendingCalls.longestMilliseconds - 1)
        #expect(none.isEmpty)
        let first = pending.expire(at: 100 + PendingCalls.longestMilliseconds)
        #expect(first == [.life])
        let (late, other, none2) = (pending.remove(1), pending.remove(2), pending.remove(nil))
        #expect(late == nil)
        #expect(other == .command)
        #expect(none2 == nil)
    }
}
