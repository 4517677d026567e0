import Encoding
import SiteRules
import Testing

@Suite struct DiagnosesTests {
    static func window(_ opens: Int64, _ closes: Int64) throws -> DayWindow { try #require(DayWindow(opens: opens, closes: closes)) }

    static func day(_ text: String) throws -> CivilDate { CivilDate(daysSince1970: try #require(UTCText.read(text)) / 86_400_000) }

    static func oneOff(_ from: String, _ to: String, opens: Bool, priority: Int64 = 0) throws -> OneOff {
        try #require(OneOff(from: LocalMinute(try day(from)), to: LocalMinute(try day(to)), opens: opens, priority: priority))
    }

    static func rules(_ records: [SiteRecord]) throws -> SiteRules {
        try SiteRules([.timeZone(try #require(TimeZoneName("Europe/Berlin")))] + records)
    }

    @Test func soundRulesHaveNone() throws {
        let day = try Self.window(480, 1080)
        let night = try Self.window(1080, 1920)
        let rules = try Self.rules([
            .holidays(HolidayCalendar(kind: "public", dates: [.yearly(month: 12, day: 25)])),
            .schedule(Schedule(name: "day", week: [.monday: [day], .tuesday: [day]], holidays: [HolidayWindows(kind: "public", windows: [])])),
            .schedule(Schedule(name: "night", week: [.monday: [night]])),
            .schedule(Schedule(name: "party", week: [:], oneOffs: [try Self.oneOff("1999-12-31", "2000-01-02", opens: true)])),
            .lanePlan(LanePlan(lane: "north", entries: [
                LanePlanEntry(schedule: "day", mode: .freePassage), LanePlanEntry(schedule: "night", mode: .lockedDown),
                LanePlanEntry(schedule: nil, mode: .closed)
            ])),
            .access(AccessRule(group: "staff", schedule: "day"))
        ])
        #expect(rules.diagnoses.isEmpty)
    }

    @Test func namesThatAreNotThereAreFound() throws {
        let rules = try SiteRules([
            .schedule(Schedule(name: "day", week: [.monday: [.wholeDay]], holidays: [HolidayWindows(kind: "public", windows: [])])),
            .lanePlan(LanePlan(lane: "north", entries: [LanePlanEntry(schedule: "dya", mode: .closed)])),
            .access(AccessRule(group: "staff", schedule: "nigth"))
        ])
        let expected: [(SiteDiagnosis.Code, [SiteEntry])] = [
            (.timeZoneMissing, [.schedule("day")]), (.holidayUnknown, [.holidayWindows(schedule: "day", position: 0)]),
            (.scheduleUnknown, [.planEntry(lane: "north", position: 0)]), (.scheduleUnknown, [.rule(position: 0)])
        ]
        #expect(rules.diagnoses.map(\.code) == expected.map(\.0))
        #expect(rules.diagnoses.map(\.entries) == expected.map(\.1))
    }

    @Test func aScheduleThatNeverOpensIsFound() throws {
        let never: [Schedule] = [
            Schedule(name: "empty", week: [:]),
            Schedule(name: "closed", week: [:], oneOffs: [try Self.oneOff("2031-05-01", "2031-05-02", opens: true),
                                                          try Self.oneOff("2031-04-01", "2031-06-01", opens: false, priority: 1)]),
            Schedule(name: "no-such-day", week: [:], holidays: [HolidayWindows(kind: "none", windows: [.wholeDay])])
        ]
        let once: [Schedule] = [
            Schedule(name: "leap", week: [:], holidays: [HolidayWindows(kind: "leap", windows: [try Self.window(0, 1)])]),
            Schedule(name: "late", week: [:], oneOffs: [try Self.oneOff("2290-05-01", "2290-05-02", opens: true)]),
            Schedule(name: "after", week: [.sunday: [try Self.window(60, 61)]], oneOffs: [try Self.oneOff("1970-01-01", "2290-05-02", opens: false)])
        ]
        let calendars: [SiteRecord] = [.holidays(HolidayCalendar(kind: "none", dates: [])), .holidays(HolidayCalendar(kind: "leap", dates: [.yearly(month: 2, day: 29)]))]
        let found = try Self.rules(calendars + (never + once).map(SiteRecord.schedule)).diagnoses
        #expect(found.map(\.code) == never.map { _ in .scheduleNeverOpens })
        #expect(found.map(\.entries) == never.map { [.schedule($0.name)] })
    }

    @Test func aScheduleThatContradictsItselfIsFound() throws {
        let schedule = Schedule(name: "day", week: [.monday: [.wholeDay]], holidays: [HolidayWindows(kind: "public", windows: []), HolidayWindows(kind: "public", windows: [])],
                                oneOffs: [try Self.oneOff("2026-05-01", "2026-05-03", opens: true), try Self.oneOff("2026-05-03", "2026-05-04", opens: false),
                                          try Self.oneOff("2026-05-02", "2026-05-03", opens: false, priority: 1), try Self.oneOff("2026-05-02", "2026-05-03", opens: false)])
        let found = try Self.rules([.holidays(HolidayCalendar(kind: "public", dates: [.yearly(month: 5, day: 1)])), .schedule(schedule)]).diagnoses
        #expect(found.map(\.code) == [.scheduleContradicts, .scheduleContradicts])
        #expect(found.map(\.entries) == [
            [.holidayWindows(schedule: "day", position: 0), .holidayWindows(schedule: "day", position: 1)],
            [.oneOff(schedule: "day", position: 0), .oneOff(schedule: "day", position: 3)]
        ])
    }

    @Test func twoModesAtOnceAreFoundWithBothEntries() throws {
        let night = Schedule(name: "night", week: [.sunday: [try Self.window(1320, 1800)]])
        let early = Schedule(name: "early", week: [.monday: [try Self.window(359, 500)]])
        let late = Schedule(name: "late", week: [.monday: [try Self.window(360, 500)]])
        let never = LanePlanEntry(schedule: "late", mode: .lockedDown)
        let clash = try Self.rules([.schedule(night), .schedule(early), .schedule(late), .lanePlan(LanePlan(lane: "north", entries: [
            never, LanePlanEntry(schedule: "night", mode: .closed), LanePlanEntry(schedule: "early", mode: .heldOpen, direction: .in)
        ]))]).diagnoses
        #expect(clash.map(\.code) == [.planContradicts, .planContradicts])
        // The last minute of Sunday's night is the first of Monday's early hours.
        #expect(clash.map(\.entries) == [
            [.planEntry(lane: "north", position: 1), .planEntry(lane: "north", position: 2)],
            [.planEntry(lane: "north", position: 0), .planEntry(lane: "north", position: 2)]
        ])
        let settled = try Self.rules([.schedule(night), .schedule(early), .lanePlan(LanePlan(lane: "north", entries: [
            LanePlanEntry(schedule: "night", mode: .closed), LanePlanEntry(schedule: "early", mode: .heldOpen, priority: 1)
        ]))])
        #expect(settled.diagnoses.isEmpty)
        let twoElse = try Self.rules([.lanePlan(LanePlan(lane: "north", entries: [LanePlanEntry(schedule: nil, mode: .closed), LanePlanEntry(schedule: nil, mode: .normal)]))])
        #expect(twoElse.diagnoses.map(\.entries) == [[.planEntry(lane: "north", position: 0), .planEntry(lane: "north", position: 1)]])
    }

    @Test func twoModesOnOneDayOfManyYearsAreFound() throws {
        // 29 February on a Sunday: 2004 and 2032 only.
        let leap = Schedule(name: "leap", week: [:], holidays: [HolidayWindows(kind: "leap", windows: [.wholeDay])])
        let sunday = Schedule(name: "sunday", week: [.sunday: [.wholeDay]])
        let rules = try Self.rules([
            .holidays(HolidayCalendar(kind: "leap", dates: [.yearly(month: 2, day: 29)])), .schedule(leap), .schedule(sunday),
            .lanePlan(LanePlan(lane: "north", entries: [LanePlanEntry(schedule: "leap", mode: .closed), LanePlanEntry(schedule: "sunday", mode: .normal)]))
        ])
        #expect(rules.diagnoses.map(\.code) == [.planContradicts])
        #expect(rules.diagnoses.first?.message.contains("2004-02-29") == true)
    }
}
