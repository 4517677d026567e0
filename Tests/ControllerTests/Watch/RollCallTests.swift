import Testing
import Threads

@testable import Controller

/// When the watchdog is fed, and when not. Time is an argument.
@Suite("The roll call") struct RollCallTests {
    static let disk = OutsideCall("the disk", .fault(afterMilliseconds: 5000), remedy: "Look at it.")

    /// What the looks answer, one after the other.
    private func answers(_ looks: [(Int64, [(name: String, state: LoopState)])]) -> [RollCall.Answer] {
        var rollCall = RollCall(limit: 1250)
        return looks.map { now, loops in rollCall.look(at: loops, now).answer }
    }

    @Test func itIsFedWhileEveryLoopGoesOn() {
        #expect(answers([(0, []), (250, [("a", .running(since: 0)), ("b", .waiting(since: 200))])]) == [.feed, .feed])
    }

    @Test func oneLoopThatHangsIsEnough() {
        let hung: [(name: String, state: LoopState)] = [("a", .running(since: 0)), ("b", .waiting(since: 1400))]
        let hang = { RollCall.Hang(loop: "a", why: "does not come round", milliseconds: $0) }
        #expect(answers([(1250, hung), (1500, hung), (1750, hung), (2000, hung)])
            == [.feed, .warn(hang(1500)), .end(hang(1750)), .end(hang(2000))])
    }

    @Test func aLoopThatComesBackIsForgiven() {
        #expect(answers([
            (1250, [("a", .running(since: 0))]), (1500, [("a", .running(since: 0))]), (1750, [("a", .running(since: 1600))])
        ]).last == .feed)
    }

    /// Killed 1.75 s after it began to hang at the latest: the lines are at their safe level within 3 s.
    @Test func theEndComesInTime() {
        var rollCall = RollCall(limit: 1250)
        let began: Int64 = 1
        var now: Int64 = 0
        while true {
            if case .end = rollCall.look(at: [("a", .running(since: began))], now).answer { break }
            now += rollCall.interval
        }
        #expect(now - began <= 1750)
    }

    @Test func aProcessThatDidNotRunIsNotEndedForIt() {
        let since: [(name: String, state: LoopState)] = [("a", .waiting(since: 900))]
        #expect(answers([(1000, since), (9000, since)]) == [.feed, .feed], "stopped and continued by somebody")
        let looks: [(Int64, [(name: String, state: LoopState)])] = [(1000, since)] + (36...43).map { ($0 * 250, since) }
        #expect(answers(looks).suffix(2).allSatisfy { $0 != .feed }, "but what hangs on is")
    }

    @Test func whatWaitsOutsideIsToldOnceAndFedOn() {
        var rollCall = RollCall(limit: 1250)
        let waiting: [(name: String, state: LoopState)] = [("journal", .outside(Self.disk, since: 0))]
        var news: [RollCall.News] = []
        for now in stride(from: Int64(0), through: 10_000, by: 250) {
            let (answer, told) = rollCall.look(at: waiting, now)
            #expect(answer == .feed)
            news += told
        }
        news += rollCall.look(at: [("journal", .waiting(since: 10_200))], 10_250).news
        #expect(news.count == 2)
        guard case .delayed(let delay) = news.first else { return #expect(Bool(false), "it is told") }
        #expect(delay.message == "journal has been waiting for the disk for 5 s. Look at it.")
        #expect(news.last == .goesOn(loop: "journal"))
    }
}
