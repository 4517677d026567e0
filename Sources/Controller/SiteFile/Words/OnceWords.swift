import Encoding
import SiteRules

/// What is different once: `2026-05-04`, `2026-05-04 18:00-22:00`, `2026-05-04 to 2026-05-06`,
/// `2026-05-04 18:00 to 2026-05-06 08:00`, each with `priority 1` at its end if need be.
enum OnceWords {
    static func read(_ text: String, opens: Bool) throws(WordFault) -> OneOff {
        let (words, priority) = try priority(of: text)
        let (from, to) = try stretch(words, text)
        guard from < to else { throw WordFault(code: "bad-date", message: "\"\(text)\" ends before it begins.") }
        guard let oneOff = OneOff(from: from, to: to, opens: opens, priority: priority) else { throw fault(text) }
        return oneOff
    }

    private static func priority(of text: String) throws(WordFault) -> ([Substring], Int64) {
        let words = text.split(separator: " ")
        guard words.count >= 2, words[words.count - 2] == "priority" else { return (words, 0) }
        guard let priority = Int64(words[words.count - 1]), OneOff.priorities.contains(priority) else {
            throw WordFault(code: "bad-date", message: "The priority of \"\(text)\" is a number from 0 to \(OneOff.priorities.upperBound).")
        }
        return (Array(words.dropLast(2)), priority)
    }

    private static func stretch(_ words: [Substring], _ text: String) throws(WordFault) -> (LocalMinute, LocalMinute) {
        switch words.count {
        case 1:
            return try (LocalMinute(DateWords.date(words[0])), end(of: DateWords.date(words[0])))
        case 2:
            return try window(ClockWords.window(words[1]), on: DateWords.date(words[0]))
        case 3 where words[1] == "to":
            return try (LocalMinute(DateWords.date(words[0])), end(of: DateWords.date(words[2])))
        case 5 where words[2] == "to":
            return try (moment(words[0], words[1]), moment(words[3], words[4]))
        default:
            throw fault(text)
        }
    }

    private static func end(of date: CivilDate) -> LocalMinute { LocalMinute(date, minuteOfDay: DayWindow.minutesOfDay) }

    private static func window(_ window: DayWindow, on date: CivilDate) -> (LocalMinute, LocalMinute) {
        let next = CivilDate(daysSince1970: date.daysSince1970 + 1)
        let to = window.endsNextDay ? LocalMinute(next, minuteOfDay: window.closes - DayWindow.minutesOfDay)
            : LocalMinute(date, minuteOfDay: window.closes)
        return (LocalMinute(date, minuteOfDay: window.opens), to)
    }

    private static func moment(_ date: Substring, _ time: Substring) throws(WordFault) -> LocalMinute {
        guard let minute = ClockWords.minute(time) else { throw .time(time) }
        return LocalMinute(try DateWords.date(date), minuteOfDay: minute)
    }

    private static func fault(_ text: String) -> WordFault {
        WordFault(code: "bad-date", message:
            "\"\(text)\" says not when: write 2026-05-04, 2026-05-04 18:00-22:00, 2026-05-04 to 2026-05-06 or 2026-05-04 18:00 to 2026-05-06 08:00.")
    }
}
