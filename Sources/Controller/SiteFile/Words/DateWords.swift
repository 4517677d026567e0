import Encoding
import SiteRules

/// Days: `12-25`, `2026-12-25`, `2026-08-03 to 2026-08-21`.
enum DateWords {
    static func date(_ text: some StringProtocol) throws(WordFault) -> CivilDate {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let year = ClockWords.number(parts[0], digits: 4), let month = ClockWords.number(parts[1], digits: 2),
              let day = ClockWords.number(parts[2], digits: 2), let date = CivilDate(year: year, month: month, day: day), year >= 1970 else {
            throw .date(text)
        }
        return date
    }

    /// A day or some days of a kind of holiday.
    static func holiday(_ text: String) throws(WordFault) -> HolidayDate {
        let words = text.split(separator: " ")
        switch words.count {
        case 1:
            if let yearly = yearly(words[0]) { return yearly }
            let date = try date(words[0])
            return .days(first: date, last: date)
        case 3 where words[1] == "to":
            return try days(from: date(words[0]), to: date(words[2]), text)
        default:
            throw .date(text)
        }
    }

    private static func yearly(_ text: Substring) -> HolidayDate? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let month = ClockWords.number(parts[0], digits: 2), let day = ClockWords.number(parts[1], digits: 2),
              CivilDate(year: 2000, month: month, day: day) != nil else { return nil }
        return .yearly(month: month, day: day)
    }

    private static func days(from first: CivilDate, to last: CivilDate, _ text: String) throws(WordFault) -> HolidayDate {
        let span = last.daysSince1970 - first.daysSince1970
        guard span >= 0 else { throw WordFault(code: "bad-date", message: "\"\(text)\" ends before it begins.") }
        guard span < HolidayDate.longestSpan else {
            throw WordFault(code: "bad-date", message: "\"\(text)\" are more than \(HolidayDate.longestSpan) days; that is no holiday.")
        }
        return .days(first: first, last: last)
    }
}
