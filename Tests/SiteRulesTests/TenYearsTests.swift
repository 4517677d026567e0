import Encoding
import SeededNumbers
import SiteRules
import Testing

/// Ten years of schedules, against a walk through every minute of them. The judge in Tests/Judges does the same in another language and
/// with another reader of the zones.
@Suite struct TenYearsTests {
    /// A random schedule, and each minute of the site's clock painted as it is meant.
    struct Painted {
        let rules: SiteRules
        let first: Int64
        var minutes: [Bool]

        init(_ dice: inout SeededNumbers, years: ClosedRange<Int64>) throws {
            let first = try #require(CivilDate(year: years.lowerBound, month: 1, day: 1)).daysSince1970 - 2
            let days = try #require(CivilDate(year: years.upperBound + 1, month: 1, day: 1)).daysSince1970 + 2 - first
            let date = { (dice: inout SeededNumbers) in CivilDate(daysSince1970: first + Int64.random(in: 0..<days, using: &dice)) }
            let window = { (dice: inout SeededNumbers) in
                let opens: Int64 = [0, 120, 150, 1320, 1439, Int64.random(in: 0..<1440, using: &dice)].randomElement(using: &dice) ?? 0
                let length: Int64 = [60, 480, 1440, Int64.random(in: 1...1440, using: &dice)].randomElement(using: &dice) ?? 1
                return DayWindow(opens: opens, closes: opens + length)
            }
            let week = Dictionary(uniqueKeysWithValues: Weekday.allCases.map { day in
                (day, (0..<Int.random(in: 0...2, using: &dice)).compactMap { _ in window(&dice) })
            })
            let calendar = HolidayCalendar(kind: "public", dates: [.yearly(month: 12, day: 25), .yearly(month: 2, day: 29)] + (0..<30).map { _ in
                let start = date(&dice)
                return .days(first: start, last: CivilDate(daysSince1970: start.daysSince1970 + Int64.random(in: 0...5, using: &dice)))
            })
            let holidays = HolidayWindows(kind: "public", windows: [window(&dice)].compactMap(\.self))
            let oneOffs = (0..<60).compactMap { _ -> OneOff? in
                let from = LocalMinute(date(&dice), minuteOfDay: [0, 90, 150, 600].randomElement(using: &dice) ?? 0)
                let to = LocalMinute(from.date, minuteOfDay: 660 + Int64.random(in: 0...4000, using: &dice))
                return OneOff(from: from, to: to, opens: Bool.random(using: &dice), priority: Int64.random(in: 0...3, using: &dice))
            }
            rules = try SiteRules([.holidays(calendar), .schedule(Schedule(name: "s", week: week, holidays: [holidays], oneOffs: oneOffs))])
            self.first = first
            minutes = [Bool](repeating: false, count: Int(days + 3) * 1440)
            for day in (first - 1)..<(first + days + 2) {
                let date = CivilDate(daysSince1970: day)
                let isHoliday = calendar.dates.contains { $0.contains(date) }
                for window in isHoliday ? holidays.windows : week[Weekday(date)] ?? [] {
                    paint(day * 1440 + window.opens, day * 1440 + window.closes, true)
                }
            }
            // The later paint covers the earlier: priorities from low to high, and of equal ones those that close last.
            for priority in OneOff.priorities {
                for opens in [true, false] {
                    for oneOff in oneOffs where oneOff.priority == priority && oneOff.opens == opens { paint(oneOff.from.minutes, oneOff.to.minutes, opens) }
                }
            }
        }

        private mutating func paint(_ start: Int64, _ end: Int64, _ value: Bool) {
            let range = max(0, Int(start - first * 1440))..<max(0, min(minutes.count, Int(end - first * 1440)))
            for minute in range { minutes[minute] = value }
        }

        /// The seconds at which the paint changes as the site's clock goes, and what it was at the beginning.
        func walk(_ zone: TimeZoneData, from start: Int64, to end: Int64) -> (first: Bool, changes: [Int64]) {
            var latest = Int64.min
            var changes: [Int64] = []
            var value: Bool?
            var begin = false
            var offset: Int64 = 0
            for time in stride(from: start, through: end, by: 60) {
                if time % 900 == 0 { offset = zone.offset(at: time) }
                latest = max(latest, (time + offset).quotientFloor(60))
                let now = minutes[Int(latest - first * 1440)]
                if let value, value != now { changes.append(time) }
                if value == nil { begin = now }
                value = now
            }
            return (begin, changes)
        }
    }

    @Test(arguments: ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Kathmandu", "Pacific/Apia"])
    func everyChangeIsTheNextOneAndNoOtherComes(name: String) throws {
        var dice = SeededNumbers(seed: 10)
        let zone = try TimeZoneFixture.zone(name)
        // Samoa lost a day in 2011.
        let years: ClosedRange<Int64> = name == "Pacific/Apia" ? 2008...2017 : 2023...2032
        let start = try #require(CivilDate(year: years.lowerBound, month: 1, day: 1)).daysSince1970 * 86_400
        let end = try #require(CivilDate(year: years.upperBound + 1, month: 1, day: 1)).daysSince1970 * 86_400
        let painted = try Painted(&dice, years: years)
        let timetable = SiteTimetable(painted.rules, timeZone: zone)
        let (first, expected) = painted.walk(zone, from: start, to: end)
        var changes: [Int64] = []
        var time = start
        var value = timetable.isInForce("s", at: .known(start), for: .grants)
        #expect(value == first)
        while let next = timetable.nextChange(ofSchedule: "s", after: time), next <= end {
            changes.append(next)
            #expect(timetable.isInForce("s", at: .known(next - 1), for: .grants) == value)
            value.map { value = !$0 }
            #expect(timetable.isInForce("s", at: .known(next), for: .grants) == value)
            time = next
        }
        #expect(changes == expected, "\(name)")
        #expect(expected.count > 100)
    }
}
