import Encoding

/// A day of the week.
public enum Weekday: Int, CaseIterable, Sendable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    /// The weekday of a date.
    public init(_ date: CivilDate) { self.init(daysSince1970: date.daysSince1970) }

    /// 1 January 1970 was a Thursday.
    init(daysSince1970: Int64) {
        let day = daysSince1970 + 3
        self = Self.allCases[Int(day - day.quotientFloor(7) * 7)]
    }
}
