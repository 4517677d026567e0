import Credentials
import Gate
import Service
import SiteRules
import Storage
import Testing
import Threads
import Vocabulary
import Waits

@testable import Controller
@testable import Site

/// Lanes get the modes of their plans when the clock comes to them, however it comes there.
@Suite struct PlanRunnerTests {
    /// What a lane was told, and what the clock says.
    private final class Town: Sendable {
        let told = Monitor<[ModeRequest?]>([])
        /// How often the clock was read.
        let asked = Monitor(0)
        let clock: Monitor<ClockReading>
        let rules: Monitor<(generation: UInt64, rules: SiteRules)>

        init(_ rules: SiteRules, at seconds: Int64) throws {
            logs = try LogOutput(LogSettings()) { _ in }
            clock = Monitor(ClockReading(seconds: seconds, trust: .synchronised))
            let published = Monitor((generation: UInt64(1), rules: rules))
            self.rules = published
            hours = SiteHours(log: logs.log("trust")) { published.withLock { $0 } }
        }

        private let logs: LogOutput
        let hours: SiteHours

        deinit { logs.stop() }

        func runner() throws -> PlanRunner {
            let log = logs.log("gate")
            let runner = try PlanRunner(hours: hours, now: { [clock, asked] in
                asked.change { $0 += 1 }
                return clock.withLock { $0 }
            }, log: log, loops: Loops())
            runner.drive([PlannedLane(name: "north") { [told] modeRequest in told.change { $0.append(modeRequest) } }])
            return runner
        }

        func set(_ seconds: Int64, _ trust: ClockTrust = .synchronised) {
            clock.withLock { $0 = ClockReading(seconds: seconds, trust: trust) }
        }
    }

    /// Closed from 22 to 6 o'clock UTC, held open for people who leave on Fridays from 16 to 17 o'clock.
    private static func rules() throws -> SiteRules {
        let night = try #require(DayWindow(opens: 1320, closes: 1800))
        let leaving = try #require(DayWindow(opens: 960, closes: 1020))
        return try SiteRules([
            .timeZone(try #require(TimeZoneName("Etc/UTC"))),
            .schedule(Schedule(name: "night", week: Dictionary(uniqueKeysWithValues: Weekday.allCases.map { ($0, [night]) }))),
            .schedule(Schedule(name: "leaving", week: [.friday: [leaving]])),
            .lanePlan(LanePlan(lane: "north", entries: [
                LanePlanEntry(schedule: "night", mode: .closed), LanePlanEntry(schedule: "leaving", mode: .heldOpen, direction: .out)
            ]))
        ])
    }

    /// Friday, 2 January 1970.
    private static let friday: Int64 = 86_400
    private static let hour: Int64 = 3600

    @Test func aLaneIsToldEachChangeOnceAndTheNextOneIsKnown() throws {
        let town = try Town(try Self.rules(), at: Self.friday + 12 * Self.hour)
        let runner = try town.runner()
        #expect(runner.apply() == Self.friday + 16 * Self.hour)
        #expect(town.told.withLock { $0 }.isEmpty, "nothing is wanted of a lane that is normal")
        town.set(Self.friday + 16 * Self.hour)
        #expect(runner.apply() == Self.friday + 17 * Self.hour)
        #expect(runner.apply() == Self.friday + 17 * Self.hour)
        town.set(Self.friday + 17 * Self.hour)
        runner.apply()
        town.set(Self.friday + 23 * Self.hour)
        #expect(runner.apply() == Self.friday + 30 * Self.hour)
        #expect(town.told.withLock { $0 } == [ModeRequest(.heldOpen, direction: .out), nil, ModeRequest(.closed)])
    }

    @Test func aTimeThatNobodyHasConfirmedOpensNoLane() throws {
        let town = try Town(try Self.rules(), at: Self.friday + 12 * Self.hour)
        let runner = try town.runner()
        town.clock.withLock { $0 = ClockReading(seconds: Self.friday + 16 * Self.hour, trust: .synchronised, isConfirmed: false) }
        runner.apply()
        #expect(town.told.withLock { $0 }.isEmpty, "the plan would hold the lane open")
        #expect(runner.outlook.lanes["north"]?.state.isWithheld == true)
        town.clock.withLock { $0 = ClockReading(seconds: Self.friday + 23 * Self.hour, trust: .synchronised, isConfirmed: false) }
        runner.apply()
        #expect(town.told.withLock { $0 } == [ModeRequest(.closed)], "what closes a lane needs nobody's word")
        town.set(Self.friday + 7 * 24 * Self.hour + 16 * Self.hour)
        runner.apply()
        #expect(town.told.withLock { $0 }.last == ModeRequest(.heldOpen, direction: .out))
    }

    @Test func aClockThatJumpsBackTakesTheModeBack() throws {
        let town = try Town(try Self.rules(), at: Self.friday + 23 * Self.hour)
        let runner = try town.runner()
        runner.apply()
        town.set(Self.friday - 12 * Self.hour)
        runner.apply()
        town.set(Self.friday + 400 * 86_400 + 12 * Self.hour)
        runner.apply()
        #expect(town.told.withLock { $0 } == [ModeRequest(.closed), nil])
    }

    @Test func whileNobodyVouchesForTheTimeTheStrictestModeCounts() throws {
        let town = try Town(try Self.rules(), at: Self.friday + 12 * Self.hour)
        let runner = try town.runner()
        town.set(Self.friday + 12 * Self.hour, .untrusted)
        #expect(runner.apply() == nil)
        town.set(Self.friday + 12 * Self.hour, .holdover(ageSeconds: 5))
        #expect(runner.apply() == Self.friday + 16 * Self.hour)
        #expect(town.told.withLock { $0 } == [ModeRequest(.closed), nil])
    }

    @Test func newRulesCountAtTheNextLook() throws {
        let town = try Town(try Self.rules(), at: Self.friday + 23 * Self.hour)
        let runner = try town.runner()
        runner.apply()
        town.rules.withLock { $0 = (2, SiteRules()) }
        #expect(town.hours.refresh())
        #expect(!town.hours.refresh(), "that is known")
        runner.apply()
        #expect(town.told.withLock { $0 } == [ModeRequest(.closed), nil])
    }

    /// Nor does it wait for the machine's clock, which has jumped, to come to a time of the gate's own.
    @Test func aClockThatIsNotTheMachinesDoesNotKeepTheThreadBusy() throws {
        let town = try Town(try Self.rules(), at: Self.friday + 16 * Self.hour - 1)
        let runner = try town.runner()
        let before = MonotonicTime.milliseconds
        try runner.start()
        try town.asked.wait(for: "six looks at the clock") { $0 >= 6 ? () : nil }
        // Once for `drive`, once at the start, once because `drive` woke it, and then with each second.
        #expect(MonotonicTime.milliseconds >= before + 1900)
        runner.stop()
    }

    @Test func theThreadLooksWhenItIsTold() throws {
        // The machine's own clock comes to no change of this: 1 January 2100 is a Friday.
        let friday: Int64 = 47_482 * 86_400
        let town = try Town(try Self.rules(), at: friday + 23 * Self.hour)
        let runner = try town.runner()
        try runner.start()
        #expect(try town.told.wait(for: "the first mode") { $0.first } == ModeRequest(.closed))
        town.set(friday + 31 * Self.hour)
        runner.look()
        try town.told.wait(for: "the second mode") { $0.count > 1 ? () : nil }
        #expect(town.told.withLock { $0 } == [ModeRequest(.closed), nil])
        runner.stop()
    }

    @Test func aTapThatOvertakesAnImportHasItsRulesAndReadsNoFile() throws {
        let town = try Town(try Self.rules(), at: Self.friday)
        town.rules.withLock { $0 = (2, SiteRules()) }
        #expect(town.hours.publication(of: 1)?.timetable.has(schedule: "night") == true)
        #expect(town.hours.publication(of: 2)?.timetable.has(schedule: "night") == false)
        #expect(town.hours.publication(of: 3) == nil)
        #expect(town.hours.current.generation == 1, "only a refresh changes what is in use")
        town.hours.refresh()
        #expect(town.hours.publication(of: 1)?.timetable.has(schedule: "night") == true)
        #expect(town.hours.current.generation == 2)
    }

    @Test func whatIsShownWasWorkedOutBefore() throws {
        let town = try Town(try Self.rules(), at: Self.friday + 16 * Self.hour)
        let runner = try town.runner()
        #expect(runner.outlook.lanes["north"]?.state.mode == .heldOpen)
        #expect(runner.outlook.next == Self.friday + 17 * Self.hour)
        #expect(runner.outlook.lanes["south"] == nil)
        // Whoever drives lanes finds them told.
        #expect(town.told.withLock { $0 } == [ModeRequest(.heldOpen, direction: .out)])
    }
}
