extension UTCText {
    /// Reads `2025-01-31T08:30:00Z`, with or without seconds and their fraction, or the day alone
    /// (its first second). Only UTC: the `Z` is needed wherever there is a time of day.
    /// - Returns: milliseconds since 1970; nil for anything else, also for days that do not exist.
    public static func read(_ text: String) -> Int64? {
        let halves = text.split(separator: "T", omittingEmptySubsequences: false)
        guard let days = halves.first.flatMap(days), halves.count <= 2 else { return nil }
        guard halves.count == 2 else { return days * 86_400_000 }
        guard halves[1].last == "Z", let time = milliseconds(ofDay: halves[1].dropLast()) else { return nil }
        return days * 86_400_000 + time
    }

    private static func days(_ text: Substring) -> Int64? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let year = number(parts[0], digits: 4), let month = number(parts[1], digits: 2),
              let day = number(parts[2], digits: 2) else { return nil }
        return CivilDate(year: year, month: month, day: day)?.daysSince1970
    }

    private static func milliseconds(ofDay text: Substring) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let hour = number(parts[0], digits: 2), hour < 24,
              let minute = number(parts[1], digits: 2), minute < 60 else { return nil }
        guard parts.count == 3 else { return (hour * 60 + minute) * 60_000 }
        let second = parts[2].split(separator: ".", omittingEmptySubsequences: false)
        guard second.count <= 2, let whole = number(second[0], digits: 2), whole < 60 else { return nil }
        var fraction: Int64 = 0
        if second.count == 2 {
            guard (1...3).contains(second[1].count), let digits = number(second[1], digits: second[1].count) else { return nil }
            fraction = digits * [100, 10, 1][second[1].count - 1]
        }
        return ((hour * 60 + minute) * 60 + whole) * 1000 + fraction
    }

    private static func number(_ text: Substring, digits: Int) -> Int64? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }
}
