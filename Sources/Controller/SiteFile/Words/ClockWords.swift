import SiteRules

/// Times of day and stretches between them.
enum ClockWords {
    /// Minutes since midnight of `HH:MM`, from 00:00 to 24:00.
    static func minute(_ text: some StringProtocol) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let hour = number(parts[0], digits: 2), let minute = number(parts[1], digits: 2), minute < 60 else { return nil }
        let total = hour * 60 + minute
        return total <= DayWindow.minutesOfDay ? total : nil
    }

    /// `07:00-19:00`; one that ends before it begins ends on the next day.
    static func window(_ text: some StringProtocol) throws(WordFault) -> DayWindow {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let opens = minute(parts[0]), let closes = minute(parts[1]), opens != closes,
              let window = DayWindow(opens: opens, closes: closes < opens ? closes + DayWindow.minutesOfDay : closes) else { throw .time(text) }
        return window
    }

    /// `07:00-12:00, 13:00-19:00`
    static func windows(_ text: some StringProtocol) throws(WordFault) -> [DayWindow] {
        var windows: [DayWindow] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            windows.append(try window(part.trimmed))
        }
        return windows
    }

    /// A number of exactly so many digits.
    static func number(_ text: some StringProtocol, digits: Int) -> Int64? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }
}

extension StringProtocol {
    /// Without spaces at both ends.
    var trimmed: String {
        let ahead = drop { $0 == " " }
        guard let last = ahead.lastIndex(where: { $0 != " " }) else { return "" }
        return String(ahead[...last])
    }

    /// What stands before the first space, and what after it; the latter is empty where there is none.
    var firstWord: (word: String, rest: String) {
        let text = trimmed
        guard let space = text.firstIndex(of: " ") else { return (text, "") }
        return (String(text[..<space]), text[space...].trimmed)
    }
}
