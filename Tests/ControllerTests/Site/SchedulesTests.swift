import Credentials
import Service
import SiteRules
import Testing
import Vocabulary

@testable import Controller
@testable import Site

/// What schedules say to lanes at times that are not sure.
@Suite struct SchedulesTests {
    private static let noon: Int64 = 86_400 + 12 * 3600

    /// One schedule that is in force at noon, one that never is.
    private func schedules() throws -> Schedules {
        let window = try #require(DayWindow(opens: 660, closes: 780))
        let rules = try SiteRules([
            .timeZone(try #require(TimeZoneName("Etc/UTC"))),
            .schedule(Schedule(name: "noon", week: Dictionary(uniqueKeysWithValues: Weekday.allCases.map { ($0, [window]) }))),
            .schedule(Schedule(name: "never", week: [:]))
        ])
        let logs = try LogOutput(LogSettings()) { _ in }
        defer { logs.stop() }
        return Schedules(SiteHours(log: logs.log("trust")) { (1, rules) })
    }

    @Test func aSureTimeDecidesForBothUses() throws {
        let schedules = try schedules(), now = ClockReading(seconds: Self.noon, trust: .synchronised)
        for use in [ScheduleUse.grants, .restricts] {
            #expect(schedules.isInForce("noon", now, use) == true)
            #expect(schedules.isInForce("never", now, use) == false)
            #expect(schedules.isInForce("nowhere", now, use) == nil)
        }
    }

    /// Whoever sets the clock of a machine that starts drops no second factor by it.
    @Test func aTimeThatNobodyHasConfirmedDropsNoSecondFactor() throws {
        let schedules = try schedules(), now = ClockReading(seconds: Self.noon, trust: .synchronised, isConfirmed: false)
        #expect(schedules.isInForce("never", now, .restricts) == true)
        #expect(schedules.isInForce("noon", now, .grants) == true)
        #expect(schedules.isInForce("never", now, .grants) == false)
    }

    /// A command that a phone may give at certain hours is not given at a time that nobody knows.
    @Test func aTimeThatNobodyKnowsRunsNoCommand() throws {
        let schedules = try schedules(), now = ClockReading(seconds: Self.noon, trust: .untrusted)
        #expect(schedules.isInForce("noon", now, .grants) == false)
        #expect(schedules.isInForce("noon", now, .restricts) == true)
    }
}
