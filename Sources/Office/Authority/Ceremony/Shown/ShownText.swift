import Encoding
import SiteRules

/// How names, lists and times stand in lines that somebody signs: what differs reads differently.
enum ShownText {
    /// A name in quotation marks, which it cannot end by itself.
    static func name(_ name: String) -> String {
        var text = "'"
        for scalar in name.unicodeScalars {
            if scalar == "'" || scalar == "\\" { text += "\\" }
            text.unicodeScalars.append(scalar)
        }
        return text + "'"
    }

    static func names(_ names: [String]) -> String { names.map(name).joined(separator: ", ") }

    /// Names of one thing, of several or of all.
    static func names(_ names: [String], one: String, several: String, none: String) -> String {
        names.isEmpty ? none : "the \(names.count == 1 ? one : several) \(self.names(names))"
    }

    static func yes(_ isSo: Bool) -> String { isSo ? "yes" : "no" }

    /// `07:05`; 1440 is `24:00`.
    static func clock(_ minute: Int64) -> String { "\(twoDigits(minute / 60)):\(twoDigits(minute % 60))" }

    static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

    static func windows(_ windows: [DayWindow]) -> String {
        windows.isEmpty ? "never" : windows.map { window in
            let end = window.endsNextDay ? "\(clock(window.closes - DayWindow.minutesOfDay)) of the next day" : clock(window.closes)
            return "\(clock(window.opens))-\(end)"
        }.joined(separator: ", ")
    }

    static func minute(_ minute: LocalMinute) -> String {
        "\(minute.date) \(clock(minute.minutes - minute.date.daysSince1970 * DayWindow.minutesOfDay))"
    }

    private static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

    /// Three or more in a row as the first and the last.
    static func days(_ days: [Weekday]) -> String {
        guard days.count < Weekday.allCases.count else { return "every day" }
        var rows: [[Int]] = []
        for day in days.map(\.rawValue) {
            if let last = rows.last?.last, last + 1 == day { rows[rows.count - 1].append(day) } else { rows.append([day]) }
        }
        return rows.map { row in
            row.count > 2 ? "\(weekdays[row[0]]) to \(weekdays[row[row.count - 1]])" : row.map { weekdays[$0] }.joined(separator: ", ")
        }.joined(separator: ", ")
    }

    /// Whole days where it is that.
    static func span(seconds: Int64) -> String {
        let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
        return rest == 0 ? "\(days) \(days == 1 ? "day" : "days")" : "\(seconds) seconds"
    }
}
