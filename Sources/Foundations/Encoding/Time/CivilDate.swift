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
