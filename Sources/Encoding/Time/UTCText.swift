/// Times as people and machines read them (RFC 3339, UTC).
public enum UTCText {
    /// `2025-01-31T08:30:00.123Z`
    /// - Parameter milliseconds: since 1970.
    public static func make(milliseconds: Int64) -> String {
        let seconds = milliseconds.quotientFloor(1000)
        let days = seconds.quotientFloor(86400)
        let (year, month, day) = date(daysSince1970: days)
        let second = seconds - days * 86400
        let time = [second / 3600, second / 60 % 60, second % 60].map { padded($0, 2) }.joined(separator: ":")
        let fraction = padded(milliseconds - seconds * 1000, 3)
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(time).\(fraction)Z"
    }

    /// The Gregorian date. Years are counted from March, so that the leap day is the last of its year;
    /// 146097 days are 400 years.
    static func date(daysSince1970: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = daysSince1970 + 719_468 // days since 0000-03-01
        let era = shifted.quotientFloor(146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
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
    func quotientFloor(_ divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
