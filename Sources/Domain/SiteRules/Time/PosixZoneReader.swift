/// Reads the parts of a POSIX TZ string (POSIX.1, 8.3; RFC 9636, 3.3.1). Each function takes what it reads.
struct PosixZoneReader {
    private var rest: ArraySlice<UInt8>

    /// The hours of an offset.
    private static let offsetHours: Int64 = 24
    /// The hours of the time of a change: a week less an hour, in both directions.
    private static let changeHours: Int64 = 167
    /// The time of a change where none is said: two o'clock.
    private static let defaultTime: Int64 = 7200

    init(_ text: some Sequence<UInt8>) { rest = Array(text)[...] }

    var isAtEnd: Bool { rest.isEmpty }

    func isAt(_ character: Unicode.Scalar) -> Bool { rest.first == UInt8(ascii: character) }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard isAt(character) else { return false }
        rest.removeFirst()
        return true
    }

    /// Three letters or more, or in angle brackets letters, digits and signs. What it is does not matter here.
    mutating func name() -> Bool {
        if skip("<") {
            let name = rest.prefix { Self.isLetter($0) || Self.isDigit($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
            rest = rest.dropFirst(name.count)
            return name.count >= 3 && skip(">")
        }
        let name = rest.prefix(while: Self.isLetter)
        rest = rest.dropFirst(name.count)
        return name.count >= 3
    }

    /// Seconds west of UTC, as POSIX counts.
    mutating func offset() -> Int64? { signedTime(hours: Self.offsetHours) }

    /// `M3.5.0/2`
    mutating func change() -> PosixZone.Change? {
        guard let day = day() else { return nil }
        guard skip("/") else { return PosixZone.Change(day: day, time: Self.defaultTime) }
        guard let time = signedTime(hours: Self.changeHours) else { return nil }
        return PosixZone.Change(day: day, time: time)
    }

    private mutating func day() -> PosixDay? {
        if skip("J") { return number(in: 1...365).map(PosixDay.julian) }
        guard skip("M") else { return number(in: 0...365).map(PosixDay.ordinal) }
        guard let month = number(in: 1...12), skip("."), let week = number(in: 1...5), skip("."),
              let day = number(in: 0...6) else { return nil }
        return .weekday(month: month, week: week, day: day)
    }

    /// `[+-]hh[:mm[:ss]]` in seconds.
    private mutating func signedTime(hours: Int64) -> Int64? {
        let sign: Int64 = skip("-") ? -1 : 1
        if sign == 1 { _ = skip("+") }
        guard let hour = number(in: 0...hours) else { return nil }
        guard skip(":") else { return sign * hour * 3600 }
        guard let minute = number(in: 0...59) else { return nil }
        guard skip(":") else { return sign * (hour * 3600 + minute * 60) }
        guard let second = number(in: 0...59) else { return nil }
        return sign * (hour * 3600 + minute * 60 + second)
    }

    /// At most three digits, which is all that any part has.
    private mutating func number(in range: ClosedRange<Int64>) -> Int64? {
        let digits = rest.prefix(while: Self.isDigit)
        guard (1...3).contains(digits.count) else { return nil }
        rest = rest.dropFirst(digits.count)
        let value = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
        return range.contains(value) ? value : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }
}
