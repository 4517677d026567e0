import SiteRules
import Spelling

/// Days of the week with their times: `Mon-Fri 07:00-12:00, 13:00-19:00`, `Sat,Sun`.
enum WeekWords {
    private static let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    private static let daily = "daily"

    static func read(_ text: String) throws(WordFault) -> (days: [Weekday], windows: [DayWindow]) {
        let (word, rest) = text.firstWord
        let days = try days(word)
        return (days, rest.isEmpty ? [.wholeDay] : try ClockWords.windows(rest))
    }

    private static func days(_ text: String) throws(WordFault) -> [Weekday] {
        if text.lowercased() == daily { return Weekday.allCases }
        var days: [Weekday] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false)
            guard (1...2).contains(ends.count) else { throw fault(part) }
            let first = try day(ends[0])
            days += range(from: first, to: ends.count == 2 ? try day(ends[1]) : first)
        }
        guard Set(days).count == days.count else {
            throw WordFault(code: "bad-window", message: "\"\(text)\" names a day twice.")
        }
        return days
    }

    /// From one day to the other, over the end of the week if need be.
    private static func range(from first: Weekday, to last: Weekday) -> [Weekday] {
        let count = (last.rawValue - first.rawValue + names.count) % names.count
        return (0...count).map { Weekday.allCases[(first.rawValue + $0) % names.count] }
    }

    private static func day(_ text: Substring) throws(WordFault) -> Weekday {
        guard let number = names.firstIndex(of: text.lowercased()) else { throw fault(text) }
        return Weekday.allCases[number]
    }

    private static func fault(_ text: Substring) -> WordFault {
        let known = (names + [daily])
        let nearest = NearestName.find(String(text), among: known) ?? known.first { !text.isEmpty && text.lowercased().hasPrefix($0) }
        return WordFault(code: "bad-window", message: "\"\(text)\" is no day: write Mon, Mon-Fri, Sat,Sun or daily, then the times.",
                         suggestion: nearest.map { $0 == daily ? $0 : $0.prefix(1).uppercased() + $0.dropFirst() })
    }
}
