import Testing

@testable import Controller
@testable import Sync

/// When a gate synchronises (S1, S3): single steps, and random histories against laws.
@Suite struct SyncPlanTests {
    static let period: Int64 = 15 * 60_000

    private func begun(_ plan: inout SyncPlan, at now: Int64) throws -> SyncPlan.Run {
        let run = plan.begin(at: now)
        return try #require(run)
    }

    @Test func aGateWithoutDataBeginsAtOnceAndOthersSpreadOverHalfAMinute() {
        var bare = SyncPlan(period: Self.period, hasData: false, spread: 30_000, at: 100, random: 12_345)
        #expect(bare.begin(at: 100) == SyncPlan.Run(number: 1, cause: .noData))
        for random: UInt64 in [0, 30_000, 30_001, .max] {
            let plan = SyncPlan(period: Self.period, hasData: true, spread: 30_000, at: 100, random: random)
            #expect((100...30_100).contains(plan.due ?? -1))
        }
        #expect(SyncPlan(period: Self.period, hasData: true, spread: 30_000, at: 0, random: 30_000).due == 30_000)
        #expect(SyncPlan(period: Self.period, hasData: true, spread: 0, at: 7, random: .max).due == 7, "spread over nothing")
        #expect(SyncPlan(period: Self.period, hasData: true, spread: 3_600_000, at: 0, random: 3_600_000).due == 3_600_000)
    }

    @Test func whoAsksIsServedByARunThatBeginsAfterwards() throws {
        var plan = SyncPlan(period: Self.period, hasData: true, spread: 30_000, at: 0, random: 20_000)
        #expect(plan.ask(at: 5) == 1)
        #expect(try begun(&plan, at: 5) == SyncPlan.Run(number: 1, cause: .asked))
        // Three ask while it goes on, and share the next.
        #expect([plan.ask(at: 6), plan.ask(at: 7), plan.ask(at: 8)] == [2, 2, 2])
        plan.ended(succeeded: true, at: 10, random: 0)
        #expect(plan.begin(at: 10) == nil)
        #expect(try begun(&plan, at: 10 + SyncPlan.pause) == SyncPlan.Run(number: 2, cause: .asked))
        plan.ended(succeeded: true, at: 2000, random: 0)
        #expect(plan.due == 2000 + Self.period * 9 / 10)
    }

    @Test func theSecondRunAfterAnAskIsNotForIt() throws {
        var plan = SyncPlan(period: Self.period, hasData: false, spread: 30_000, at: 0, random: 0)
        _ = try begun(&plan, at: 0)
        plan.ended(succeeded: true, at: 10, random: 0)
        // So soon after a run one waits a second.
        #expect(plan.ask(at: 11) == 2)
        #expect(plan.due == 10 + SyncPlan.pause)
    }

    @Test func failuresWaitLongerEachTimeUpToThePeriod() throws {
        var plan = SyncPlan(period: Self.period, hasData: false, spread: 30_000, at: 0, random: 0)
        var now: Int64 = 0, bounds: [Int64] = []
        for _ in 0..<20 {
            _ = try begun(&plan, at: now)
            // The greatest number that leaves all of the bound: each bound is a divisor of it less one.
            var longest: Int64 = 0
            for random in stride(from: UInt64(0), through: UInt64(Self.period), by: 7_500) {
                var copy = plan
                copy.ended(succeeded: false, at: now, random: random)
                longest = max(longest, (copy.due ?? 0) - now - SyncPlan.pause)
            }
            bounds.append(longest)
            plan.ended(succeeded: false, at: now, random: 0)
            now = plan.due ?? now
        }
        #expect(bounds.prefix(6) == [30_000, 60_000, 120_000, 240_000, 480_000, Self.period])
        #expect(bounds.dropFirst(5).allSatisfy { $0 == Self.period })
        _ = try begun(&plan, at: now)
        plan.ended(succeeded: true, at: now, random: 0)
        #expect(plan.failures == 0)
    }

    @Test func aNetworkThatIsBackIsAskedOnlyAfterAFailureAndOnceAMinute() throws {
        var plan = SyncPlan(period: Self.period, hasData: false, spread: 30_000, at: 0, random: 0)
        _ = try begun(&plan, at: 0)
        plan.ended(succeeded: true, at: 10, random: 0)
        plan.networkReturned(at: 5000)
        #expect(plan.due == 10 + Self.period * 9 / 10)
        _ = try begun(&plan, at: 10 + Self.period)
        let end = 20 + Self.period
        plan.ended(succeeded: false, at: end, random: 29_999)
        plan.networkReturned(at: end + 3000)
        #expect(try begun(&plan, at: end + 3000).cause == .network)
        plan.ended(succeeded: false, at: end + 4000, random: 59_999)
        plan.networkReturned(at: end + 9000)
        #expect(plan.due == end + 4000 + SyncPlan.pause + 59_999)
        plan.networkReturned(at: end + 63_000)
        #expect(try begun(&plan, at: end + 63_000).cause == .network)
    }

    @Test func aShorterPeriodCountsAtOnce() {
        var plan = SyncPlan(period: 24 * 3_600_000, hasData: true, spread: 30_000, at: 0, random: 0)
        _ = plan.begin(at: 0)
        plan.ended(succeeded: true, at: 0, random: 0)
        plan.adopt(period: 60_000, at: 1000, random: 0)
        #expect(plan.due == 55_000)
        plan.adopt(period: 24 * 3_600_000, at: 2000, random: 0)
        #expect(plan.due == 55_000, "a longer one after the next run")
    }

    @Test func aFolderIsTheNextAndTheServersTurnStays() throws {
        var plan = SyncPlan(period: Self.period, hasData: false, spread: 0, at: 0, random: 0)
        _ = try begun(&plan, at: 0)
        #expect(plan.visit() == 1)
        #expect(plan.ask(at: 5) == 2)
        plan.ended(succeeded: false, at: 10, random: 20_000)
        let visit = try begun(&plan, at: 10 + SyncPlan.pause)
        #expect(visit == SyncPlan.Run(number: 1, cause: .folder))
        #expect(plan.visit() == 2, "the next may wait while one is read")
        plan.ended(succeeded: true, at: 5000, random: 0)
        #expect(plan.failures == 1, "what the server did is not fixed by a folder")
        #expect(try begun(&plan, at: 6000) == SyncPlan.Run(number: 2, cause: .asked))
        plan.ended(succeeded: true, at: 6500, random: 0)
        #expect(try begun(&plan, at: 7500) == SyncPlan.Run(number: 2, cause: .folder))
    }

    @Test func foldersWaitInTheirOrderAndNotTooMany() throws {
        var plan = SyncPlan()
        #expect((1...SyncPlan.mostFolders).map { _ in plan.visit() } == (1...SyncPlan.mostFolders).map { $0 } && plan.visit() == nil)
        var now: Int64 = 0
        for number in 1...SyncPlan.mostFolders {
            #expect(try begun(&plan, at: now).number == number)
            plan.ended(succeeded: true, at: now, random: 0)
            now += SyncPlan.pause
        }
        #expect(plan.due == nil && plan.lastVisit == SyncPlan.mostFolders)
    }

    /// Three imports in a loop once kept a gate from its server for as long as they went on (S3, S6).
    @Test func folderAfterFolderDoesNotKeepTheServerFromBeingAsked() throws {
        var plan = SyncPlan(period: 60_000, hasData: true, spread: 0, at: 0, random: 0)
        var now: Int64 = 0, causes: [SyncPlan.Cause] = []
        while now < 600_000 {
            _ = plan.visit()
            let run = try begun(&plan, at: now)
            causes.append(run.cause)
            _ = plan.visit()
            now += 200
            plan.ended(succeeded: true, at: now, random: 60_000 / 10)
            now = plan.due ?? now
        }
        #expect(causes.filter { $0 != .folder }.count >= 9, "once a period, as if no folder were there")
        #expect(causes.filter { $0 == .folder }.count > 400, "and folders in between")
    }

    @Test func whoAsksIsServedAfterTheFolderThatIsBeingRead() throws {
        var plan = SyncPlan(period: Self.period, hasData: true, spread: 0, at: 0, random: 0)
        _ = try begun(&plan, at: 0)
        plan.ended(succeeded: true, at: 10, random: 0)
        _ = plan.visit()
        #expect(try begun(&plan, at: 2000).cause == .folder)
        _ = plan.visit()
        #expect(plan.ask(at: 2001) == 2)
        plan.ended(succeeded: true, at: 3000, random: 0)
        #expect(try begun(&plan, at: 4000) == SyncPlan.Run(number: 2, cause: .asked))
    }

    @Test func withoutAServerOnlyFoldersAreRuns() throws {
        var plan = SyncPlan()
        plan.dataLost(at: 5)
        plan.networkReturned(at: 6)
        #expect(plan.due == nil && plan.begin(at: .max / 2) == nil)
        #expect(plan.visit() == 1)
        #expect(try begun(&plan, at: 10).cause == .folder)
        plan.ended(succeeded: false, at: 20, random: 7)
        #expect(plan.due == nil && plan.serverDue == nil)
    }

    // Giving way ---------------------------------------------------------------------------------

    /// A run that has begun at 0.
    private func running() throws -> SyncPlan {
        var plan = SyncPlan(period: Self.period, hasData: false, spread: 0, at: 0, random: 0)
        _ = try begun(&plan, at: 0)
        return plan
    }

    @Test func aRunThatTakesLongerThanThePeriodGivesWayToTheNextLook() throws {
        var plan = try running()
        #expect(!plan.givesWay(at: Self.period - 1) && plan.givesWay(at: Self.period))
        plan.gaveWay(isResumed: false, at: Self.period)
        #expect(plan.due == Self.period + SyncPlan.pause && plan.failures == 0)
        #expect(try begun(&plan, at: Self.period + SyncPlan.pause) == SyncPlan.Run(number: 2, cause: .resume))
        #expect(!plan.givesWay(at: Self.period + SyncPlan.pause + 1))
    }

    @Test func whoAsksOrBringsAFolderWaitsTenSecondsForASlowServer() throws {
        for isFolder in [false, true] {
            var plan = try running()
            if isFolder { _ = plan.visit() } else { #expect(plan.ask(at: 5) == 2) }
            #expect(!plan.givesWay(at: SyncPlan.leastStretch - 1) && plan.givesWay(at: SyncPlan.leastStretch))
            plan.gaveWay(isResumed: false, at: SyncPlan.leastStretch)
            #expect(try begun(&plan, at: SyncPlan.leastStretch + SyncPlan.pause).cause == (isFolder ? .folder : .asked))
            guard isFolder else { continue }
            plan.ended(succeeded: true, at: 40_000, random: 0)
            #expect(try begun(&plan, at: 41_000).cause == .resume, "and the server goes on next")
        }
    }

    /// Nothing of its files is there when the next run begins: then it needs a stretch that is long enough.
    @Test func whatCannotBeGoneOnWithIsGivenTwiceAsLongEachTime() throws {
        var plan = try running(), now: Int64 = 0, stretches: [Int64] = []
        for turn in 0..<5 {
            _ = plan.ask(at: now)
            let stretch = try #require((0...20).map { SyncPlan.leastStretch << $0 }.first { plan.givesWay(at: now + $0) })
            stretches.append(stretch / SyncPlan.leastStretch)
            now += stretch
            plan.gaveWay(isResumed: turn == 3, at: now)
            now += SyncPlan.pause
            _ = try begun(&plan, at: now)
        }
        #expect(stretches == [1, 1, 2, 4, 1])
        plan.ended(succeeded: true, at: now, random: 0)
        #expect(plan.due == now + Self.period * 9 / 10)
    }

    /// At 17 kB/s a folder would hold a large site's server back for hours.
    @Test func aSlowFolderGivesWayToAServerThatAnswered() throws {
        for succeeded in [true, false] {
            var plan = try running()
            plan.ended(succeeded: succeeded, at: 10, random: 0)
            _ = plan.ask(at: 11)
            _ = plan.visit()
            _ = try begun(&plan, at: 1010)
            #expect(!plan.givesWay(at: 1009 + SyncPlan.folderPatience))
            #expect(plan.givesWay(at: 1010 + SyncPlan.folderPatience) == succeeded, "where no server answers the folder is all there is")
        }
    }

    // Histories ----------------------------------------------------------------------------------

    static let seeds: [UInt64] = Array(0..<64)

    @Test(arguments: seeds) func everyHistoryKeepsTheLaws(seed: UInt64) {
        var history = SyncHistory(seed: seed)
        for _ in 0..<4000 where history.broken == nil { history.step() }
        #expect(history.broken == nil)
        #expect(history.runs > 100 && history.visits > 20)
    }
}
