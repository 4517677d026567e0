/// Times as people and machines read them (RFC 3339, UTC).
public enum UTCText {
    /// `2025-01-31T08:30:00.123Z`
    /// - Parameter milliseconds: since 1970.
    public static func make(milliseconds: Int64) -> String {
        let seconds = milliseconds.quotientFloor(1000)
        let days = seconds.quotientFloor(86400)
        let date = CivilDate(daysSince1970: days)
        let second = seconds - days * 86400
        let time = [second / 3600, second / 60 % 60, second % 60].map { padded($0, 2) }.joined(separator: ":")
        let fraction = padded(milliseconds - seconds * 1000, 3)
        return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))T\(time).\(fraction)Z"
    }

    /// `2025-01-31T08:30:00Z`
    /// - Parameter seconds: since 1970.
    public static func make(seconds: Int64) -> String {
        // The fraction is always zero here.
        make(milliseconds: seconds * 1000).dropLast(".000Z".count) + "Z"
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension Int64 {
    /// Division that rounds towards the past, also before 1970.
    public func quotientFloor(_ divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

extension UTCText {
    private static let secondsForm = Array("0000-00-00T00:00:00Z".utf8)

    /// Reads `2025-01-31T08:30:00Z` in exactly this form: no fraction, nothing left out.
    /// - Returns: seconds since 1970; nil for anything else, also for days and times that do not exist.
    public static func readSeconds(_ text: String) -> Int64? {
        guard text.utf8.count == secondsForm.count, zip(text.utf8, secondsForm).allSatisfy({ fits($0, $1) }) else { return nil }
        return read(text).map { $0.quotientFloor(1000) }
    }

    /// Whether a character may stand where the form has this one: a digit for a digit.
    private static func fits(_ character: UInt8, _ form: UInt8) -> Bool {
        form == UInt8(ascii: "0") ? (0x30...0x39).contains(character) : character == form
    }
}

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

/// A day of the Gregorian calendar, also for years before its time.
public struct CivilDate: Hashable, Sendable {
    /// The year; 0 is the one before 1.
    public let year: Int64
    /// 1 to 12.
    public let month: Int64
    /// 1 to 31.
    public let day: Int64

    /// The day that is so many days after 1 January 1970. Years are counted from March, so that the leap
    /// day is the last of its year; 146097 days are 400 years.
    public init(daysSince1970: Int64) {
        let shifted = daysSince1970 + 719_468 // days since 0000-03-01
        let era = shifted.quotientFloor(146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// A day; nil for one that does not exist.
    public init?(year: Int64, month: Int64, day: Int64) {
        guard (-999_999...999_999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        let date = CivilDate(daysSince1970: Self.days(year: year, month: month, day: day))
        // The day that does not exist comes out as one of the next month.
        guard date.year == year, date.month == month, date.day == day else { return nil }
        self = date
    }

    /// Days since 1 January 1970; negative before it.
    public var daysSince1970: Int64 { Self.days(year: year, month: month, day: day) }

    /// The reverse of `init(daysSince1970:)`, with the same years that begin in March.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear.quotientFloor(400)
        let yearOfEra = shiftedYear - era * 400
        let shiftedMonth = month <= 2 ? month + 9 : month - 3
        let dayOfYear = (153 * shiftedMonth + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}

extension CivilDate: CustomStringConvertible {
    /// `2025-01-31`
    public var description: String { String(UTCText.make(seconds: daysSince1970 * 86_400).prefix(10)) }
}
