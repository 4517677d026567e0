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
