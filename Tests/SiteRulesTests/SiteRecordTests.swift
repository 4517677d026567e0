import Encoding
import SiteRules
import Testing

@Suite struct SiteRecordTests {
    static func window(_ opens: Int64, _ closes: Int64) throws -> DayWindow { try #require(DayWindow(opens: opens, closes: closes)) }

    static func date(_ year: Int64, _ month: Int64, _ day: Int64) throws -> CivilDate {
        try #require(CivilDate(year: year, month: month, day: day))
    }

    /// One record of each kind with everything in it, and its item as `docs/site.md` has it.
    static func all() throws -> [(SiteRecord, CBOR)] {
        let night = try window(1320, 1800)
        let christmas = try date(2026, 12, 25)
        let off = try #require(OneOff(from: LocalMinute(christmas), to: LocalMinute(christmas, minuteOfDay: 1440), opens: false, priority: 7))
        let schedule = Schedule(name: "night", week: [.friday: [night, .wholeDay]],
                                holidays: [HolidayWindows(kind: "public", windows: [])], oneOffs: [off])
        let berlin = try #require(TimeZoneName("Europe/Berlin"))
        let plan = LanePlan(lane: "north", entries: [
            LanePlanEntry(schedule: "night", mode: .lockedDown), LanePlanEntry(schedule: nil, mode: .freePassage, direction: .out, priority: 9)
        ])
        return [
            (.timeZone(berlin), [5, "Europe/Berlin"]),
            (.holidays(HolidayCalendar(kind: "public", dates: [.days(first: christmas, last: try date(2026, 12, 26)), .yearly(month: 2, day: 29)])),
             [6, "public", [[0, 20_812, 20_813], [1, 2, 29]]]),
            (.schedule(schedule),
             [7, "night", [[], [], [], [], [[1320, 1800], [0, 1440]], [], []], [["public", []]], [[29_969_280, 29_970_720, false, 7]]]),
            (.lanePlan(plan), [8, "north", [["night", 2, .null, 0], [.null, 3, 1, 9]]]),
            (.access(AccessRule(group: "staff", lanes: ["north"], schedule: "night")), [9, "staff", ["north"], "night"]),
            (.access(AccessRule(group: "staff")), [9, "staff", [], .null]),
            (.zone(ZoneRule(zone: "hall", passback: .timed(minutes: 30), resetMinute: 240, exemptGroups: ["staff"], capacity: 100)),
             [10, "hall", [3, 30], 240, ["staff"], 100]),
            (.zone(ZoneRule(zone: "yard", passback: .off)), [10, "yard", 0, .null, [], .null]),
            (.membership(Membership(group: "staff", subject: "anna")), [11, "staff", "anna"])
        ]
    }

    @Test func everyKindIsWrittenAndReadInItsOneForm() throws {
        for (record, item) in try Self.all() {
            #expect(record.cbor == item)
            #expect(try SiteRecord(cbor: item) == record)
            #expect(record.kind == item.array?.first?.unsignedInteger)
        }
    }

    @Test func rulesGiveTheirRecordsBack() throws {
        let records = try Self.all().map(\.0)
        let rules = try SiteRules(records)
        #expect(rules.records == records.filter { $0.kind != 11 })
        #expect(try SiteRules(rules.records) == rules)
        #expect(!rules.isEmpty)
        #expect(try SiteRules([.membership(Membership(group: "a", subject: "b"))]).isEmpty)
    }

    @Test func aSecondRecordOfANameIsRefused() throws {
        for (record, _) in try Self.all() {
            var rules = try SiteRules([record])
            switch record {
            case .access, .membership: try rules.append(record)
            case .timeZone, .holidays, .schedule, .lanePlan, .zone:
                #expect(throws: SiteRulesError.self) { try rules.append(record) }
            }
        }
    }

    @Test func whatIsOutOfRangeIsMalformed() {
        let refused: [CBOR] = [
            [5], [5, ""], [5, "../etc/passwd"], [5, "/etc/localtime"], [5, "Europe/Berlin", 1],
            [6, "", []], [6, "public", [[0, 2, 1]]], [6, "public", [[0, 0, 366]]], [6, "public", [[1, 2, 30]]], [6, "public", [[2, 1, 1]]],
            [6, "public", [[0, -1, 0]]], [6, "public", [[0, 0]]],
            [7, "n", [[], [], [], [], [], []], [], []], [7, "n", [[], [], [], [], [], [], [[0, 1441]]], [], []],
            [7, "n", [[], [], [], [], [], [], [[1440, 1500]]], [], []], [7, "n", [[], [], [], [], [], [], [[5, 5]]], [], []],
            [7, "n", [[], [], [], [], [], [], [[-1, 5]]], [], []], [7, "n", [[], [], [], [], [], [], []], [], [[5, 5, true, 0]]],
            [7, "n", [[], [], [], [], [], [], []], [], [[5, 6, true, 100]]], [7, "n", [[], [], [], [], [], [], []], [], [[5, 6, 1, 0]]],
            [7, "n", [[], [], [], [], [], [], []], [["", []]], []],
            [8, "north", [["night", 5, .null, 0]]], [8, "north", [["night", 1, 2, 0]]], [8, "north", [["", 1, .null, 0]]],
            [8, "north", [["night", 1, .null, 100]]], [8, "north", [["night", 1, .null]]],
            [9, "staff", [""], .null], [9, "staff", []], [9, "staff", [], ""],
            [10, "hall", 3, .null, [], .null], [10, "hall", [3, 0], .null, [], .null], [10, "hall", 0, 1440, [], .null],
            [10, "hall", 0, .null, [], 0], [10, "hall", [2, 5], .null, [], .null], [10, "hall", [3, 10_081], .null, [], .null],
            [11, "staff"], [11, "", "anna"], [11, "staff", .text(String(repeating: "a", count: 257))]
        ]
        for item in refused {
            #expect(throws: SiteRecordError.malformed, "\(item)") { try SiteRecord(cbor: item) }
        }
        for item: CBOR in [[4, 1], [12, "a"]] {
            #expect(throws: SiteRecordError.unknownKind) { try SiteRecord(cbor: item) }
        }
    }
}
