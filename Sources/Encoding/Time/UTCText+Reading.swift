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
              let day = number(parts[2], digits: 2), (1...12).contains(month), (1...31).contains(day) else { return nil }
        let days = daysSince1970(year: year, month: month, day: day)
        // The day that does not exist comes out as one of the next month.
        return date(daysSince1970: days) == (year, month, day) ? days : nil
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

    /// The reverse of `date(daysSince1970:)`, with the same years that begin in March.
    private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear.quotientFloor(400)
        let yearOfEra = shiftedYear - era * 400
        let shiftedMonth = month <= 2 ? month + 9 : month - 3
        let dayOfYear = (153 * shiftedMonth + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
