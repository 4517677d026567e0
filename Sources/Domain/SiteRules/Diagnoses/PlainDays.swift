import Encoding

/// The days that must be looked at to know all that schedules ever do.
enum PlainDays {
    /// The years 2000 to 2027: in 28 years every date falls on every weekday, leap days too.
    private static let years: ClosedRange<Int64> = 10_957...21_183

    /// Days since 1970: these years, and every day named by its date with the week after it.
    static func of(_ schedules: [LocalSchedule]) -> [ClosedRange<Int64>] {
        [years] + schedules.flatMap(\.explicitDays).filter { !years.contains($0.lowerBound) || !years.contains($0.upperBound + 8) }
            .map { $0.lowerBound - 1...$0.upperBound + 8 }
    }
}
