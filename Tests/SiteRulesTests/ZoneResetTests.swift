import Encoding
import Testing

@testable import SiteRules

/// When everybody in a zone last counted as gone (V5), by the site's clock.
@Suite("Daily resets of zones") struct ZoneResetTests {
    private func timetable(minute: Int64?) throws -> SiteTimetable {
        let rules = try SiteRules([.zone(ZoneRule(zone: "hall", passback: .hard, resetMinute: minute))])
        return SiteTimetable(rules, timeZone: try TimeZoneFixture.zone("Europe/Berlin"))
    }

    private func seconds(_ text: String) throws -> Int64 { try #require(UTCText.read(text)) / 1000 }

    @Test(arguments: [
        // 04:00 in Berlin is 03:00 in UTC in winter, 02:00 in summer.
        ("2026-01-15T02:59:59Z", "2026-01-14T03:00:00Z"), ("2026-01-15T03:00:00Z", "2026-01-15T03:00:00Z"),
        ("2026-01-15T23:30:00Z", "2026-01-15T03:00:00Z"), ("2026-07-15T02:00:00Z", "2026-07-15T02:00:00Z"),
        ("2026-07-15T01:59:59Z", "2026-07-14T02:00:00Z"),
        // The days on which the clock is put forward and back: 23 and 25 hours.
        ("2026-03-29T02:00:00Z", "2026-03-29T02:00:00Z"), ("2026-03-29T01:59:59Z", "2026-03-28T03:00:00Z"),
        ("2026-10-25T02:59:59Z", "2026-10-24T02:00:00Z"), ("2026-10-25T03:00:00Z", "2026-10-25T03:00:00Z"),
        // The year's end.
        ("2027-01-01T00:00:00Z", "2026-12-31T03:00:00Z")
    ])
    func atFour(now: String, reset: String) throws {
        #expect(try timetable(minute: 240).lastReset(ofZone: "hall", at: .known(seconds(now))) == seconds(reset))
    }

    /// 02:30 does not come on the day on which the clock is put forward: then it is the moment of the change.
    @Test(arguments: [
        ("2026-03-29T00:59:59Z", "2026-03-28T01:30:00Z"), ("2026-03-29T01:00:00Z", "2026-03-29T01:00:00Z"),
        // Put back, it comes twice: the first counts, and there is no second reset.
        ("2026-10-25T00:29:59Z", "2026-10-24T00:30:00Z"), ("2026-10-25T00:30:00Z", "2026-10-25T00:30:00Z"),
        ("2026-10-25T01:30:00Z", "2026-10-25T00:30:00Z")
    ])
    func atHalfPastTwo(now: String, reset: String) throws {
        #expect(try timetable(minute: 150).lastReset(ofZone: "hall", at: .known(seconds(now))) == seconds(reset))
    }

    @Test func whereNobodyKnowsThereIsNone() throws {
        #expect(try timetable(minute: 240).lastReset(ofZone: "hall", at: .unknown) == nil)
        #expect(try timetable(minute: nil).lastReset(ofZone: "hall", at: .known(0)) == nil)
        #expect(try timetable(minute: 240).lastReset(ofZone: "lab", at: .known(0)) == nil)
        let rules = try timetable(minute: 240).rules
        #expect(SiteTimetable(rules, timeZone: nil).lastReset(ofZone: "hall", at: .known(0)) == nil)
    }
}
