/// A time as people write it who ask about one: of the world, or of a clock on the wall.
public enum GivenTime: Equatable, Sendable {
    /// One moment: milliseconds since 1970.
    case instant(Int64)
    /// Date and time on the clock, as seconds since 1970 if it were one of UTC.
    case clock(Int64)
    /// A time of day on the clock, in seconds.
    case timeOfDay(Int64)

    /// Reads what `UTCText.read` does; the same with an offset (`2025-01-31T08:30+01:00`); and without either, or with a blank for the `T`, what a
    /// clock shows: `2025-01-31 08:30`, or `08:30`.
    /// - Returns: nil for anything else.
    public init?(_ text: String) {
        if let time = UTCText.read(text) {
            self = .instant(time)
        } else if let time = UTCText.read("1970-01-01T\(text)Z") {
            self = .timeOfDay(time / 1000)
        } else {
            let halves = text.split(whereSeparator: { $0 == "T" || $0 == " " })
            guard halves.count == 2 else { return nil }
            let date = String(halves[0]), time = halves[1]
            if let shown = UTCText.read("\(date)T\(time)Z") {
                self = .clock(shown / 1000)
            } else if time.utf8.count > 6, let shown = UTCText.read("\(date)T\(time.dropLast(6))Z"), let offset = Self.offset(time.suffix(6)) {
                self = .instant(shown - offset)
            } else if time.last == "Z", let moment = UTCText.read("\(date)T\(time)") {
                self = .instant(moment)
            } else {
                return nil
            }
        }
    }

    /// Milliseconds of `+01:00`; nil for anything else.
    private static func offset(_ text: Substring) -> Int64? {
        guard let sign = text.first, sign == "+" || sign == "-", let amount = UTCText.read("1970-01-01T\(text.dropFirst())Z") else { return nil }
        return sign == "+" ? amount : -amount
    }
}
