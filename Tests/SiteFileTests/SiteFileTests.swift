import Credentials
import Encoding
import Foundation
import SiteData
import SiteRules
import Testing

@testable import SiteFile

@Suite("What a site's file says becomes what a publication carries") struct SiteFileTests {
    private static func minute(_ year: Int64, _ month: Int64, _ day: Int64, _ minute: Int64 = 0) throws -> LocalMinute {
        LocalMinute(try #require(CivilDate(year: year, month: month, day: day)), minuteOfDay: minute)
    }

    @Test func everythingThatCanBeSaid() throws {
        let site = try SiteFileFixture.load(SiteFileFixture.whole)
        #expect(site.warnings.isEmpty)
        let rules = site.rules
        #expect(rules.timeZone == TimeZoneName("Europe/Berlin"))
        #expect(rules.holidays.map(\.kind) == ["public"])
        #expect(rules.holidays[0].dates.count == 3 && rules.holidays[0].dates[0] == .yearly(month: 12, day: 25))
        let office = try #require(rules.schedules.first)
        #expect(office.week.map { $0.map { [$0.opens, $0.closes] } } == [
            [[420, 720], [780, 1140]], [[420, 720], [780, 1140]], [[420, 720], [780, 1140]], [[420, 720], [780, 1140]],
            [[420, 720], [780, 1140]], [[1320, 1800]], []
        ])
        #expect(office.holidays == [HolidayWindows(kind: "public", windows: [try #require(DayWindow(opens: 600, closes: 840))])])
        #expect(office.oneOffs == [
            try OneOff(from: Self.minute(2026, 5, 4, 1080), to: Self.minute(2026, 5, 4, 1320), opens: true),
            try OneOff(from: Self.minute(2026, 12, 24), to: Self.minute(2026, 12, 25), opens: false),
            try OneOff(from: Self.minute(2026, 5, 9, 1320), to: Self.minute(2026, 5, 10, 480), opens: false, priority: 5)
        ])
        #expect(rules.rules == [AccessRule(group: "staff", lanes: ["entry"], schedule: "office"), AccessRule(group: "board")])
        #expect(rules.zones == [ZoneRule(zone: "hall", passback: .timed(minutes: 30), resetMinute: 180, exemptGroups: ["board"], capacity: 200)])
        #expect(rules.plans == [LanePlan(lane: "entry", entries: [
            LanePlanEntry(schedule: "office", mode: .freePassage, direction: .in, priority: 2), LanePlanEntry(schedule: nil, mode: .lockedDown)
        ])])
        #expect(site.memberships == [
            Membership(group: "board", subject: "carla"), Membership(group: "staff", subject: "anna"), Membership(group: "staff", subject: "ben")
        ])
        let carla = try #require(site.people.first)
        #expect(carla.subject == "carla" && carla.userVerification && carla.scope == ["tokn"] && carla.use == .sign)
        #expect(carla.audiences == ["tapstile:north/hall"] && carla.expiresAt == 1_896_076_800 && carla.notBefore == nil)
        #expect(carla.keyIdentifier == Array(carla.key.thumbprint.prefix(8)))
        #expect(site.revocations == [.subject("mallory")])
        #expect(site.records.count == 12)
    }

    /// What is made of a file depends on what it says, not on the order in which it says it.
    @Test func membersInAnotherOrderAreTheSame() throws {
        let one = try SiteFileFixture.load(SiteFileFixture.whole)
        let other = try SiteFileFixture.load(SiteFileFixture.whole.replacing("[\"ben\", \"anna\"]", with: "[\"anna\", \"ben\"] # sorted"))
        #expect(one.records.map(\.encoded) == other.records.map(\.encoded))
    }

    @Test func everyRecordIsReadBackAsItWas() throws {
        for record in try SiteFileFixture.load(SiteFileFixture.whole).records {
            guard case .rule(let rule) = record else { continue }
            #expect(try SiteRecord(cbor: CBOR.decode(record.encoded)) == rule)
        }
    }

    @Test func nothingAtAllIsASiteToo() throws {
        let site = try SiteFileFixture.load("")
        #expect(site.records.isEmpty && site.warnings.isEmpty)
    }

    @Test(arguments: [
        ("mon 08:00-09:00", 1), ("MON-SUN 00:00-24:00", 7), ("Fri-Mon 08:00-09:00", 4), ("Sat,Sun", 2), ("Mon,Wed-Thu  08:00-09:00", 3), ("daily 22:00-06:00", 7)
    ])
    func daysOfTheWeek(text: String, days: Int) throws { #expect(try WeekWords.read(text).days.count == days) }

    @Test(arguments: [
        "", "Mon 8:00-9:00", "Mon 08:00", "Mon 08:00-08:00", "Mon 08:00-24:01", "Mon 24:00-08:00", "Mon 08:60-09:00", "Mon-Fri-Sun 08:00-09:00",
        "Mon,Mon 08:00-09:00", "Mon-Wed,Tue", "Moon", "Mon 08:00-09:00,", "Mon, Tue 08:00-09:00", "08:00-09:00", "Mon 08:00-09:00 10:00-11:00"
    ])
    func daysThatCannotBeRead(text: String) { #expect(throws: WordFault.self) { try WeekWords.read(text) } }

    @Test(arguments: [
        "12-32", "02-30", "2026-02-29", "26-01-01", "2026-1-1", "2026-08-21 to 2026-08-03", "2026-01-01 to 2027-06-01", "12-24 to 12-26",
        "2026-01-01 - 2026-01-02", "", "to", "1969-12-31", "+202-01-01"
    ])
    func daysOfHolidaysThatCannotBeRead(text: String) { #expect(throws: WordFault.self) { try DateWords.holiday(text) } }

    @Test func leapDaysOfEveryYear() throws { #expect(try DateWords.holiday("02-29") == .yearly(month: 2, day: 29)) }

    @Test(arguments: [
        "2026-05-04 18:00", "2026-05-04 to", "2026-05-04 to 2026-05-03", "2026-05-04 18:00 to 2026-05-04 18:00", "2026-05-04 18:00 to 2026-05-04",
        "priority 3", "2026-05-04 priority 100", "2026-05-04 priority -1", "2026-05-04 priority", "05-04", "", "10000-01-01"
    ])
    func onceThatCannotBeRead(text: String) { #expect(throws: WordFault.self) { try OnceWords.read(text, opens: true) } }

    @Test func onceOverMidnight() throws {
        let read = try OnceWords.read("2026-12-31 22:00-02:00 priority 99", opens: true)
        #expect(read == (try OneOff(from: Self.minute(2026, 12, 31, 1320), to: Self.minute(2027, 1, 1, 120), opens: true, priority: 99)))
        let days = try OnceWords.read("2026-05-04 to 2026-05-06", opens: false)
        #expect(days == (try OneOff(from: Self.minute(2026, 5, 4), to: Self.minute(2026, 5, 7), opens: false)))
    }
}
