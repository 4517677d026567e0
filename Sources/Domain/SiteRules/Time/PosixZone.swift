import Encoding

/// The rule for all years in the footer of zone data: a POSIX TZ string, with the extensions of RFC 9636, 3.3.1.
struct PosixZone: Hashable, Sendable {
    /// When one of the two changes of a year happens.
    struct Change: Hashable, Sendable {
        /// The day.
        let day: PosixDay
        /// Seconds after its midnight by the clock as it goes until then; -167 to 167 hours.
        let time: Int64
    }

    /// The other half of the year. Its offset may be smaller than the standard one (negative daylight saving).
    struct Daylight: Hashable, Sendable {
        let offset: Int64
        let begins: Change
        let ends: Change
    }

    /// Seconds east of UTC.
    let standard: Int64
    /// Nil: no change, ever.
    let daylight: Daylight?

    /// The offset at a UNIX second.
    func offset(at time: Int64) -> Int64 {
        guard daylight != nil else { return standard }
        return changes(around: time).last { $0.at <= time }?.offset ?? standard
    }

    /// The first change of the offset after a UNIX second.
    func transition(after time: Int64) -> TimeZoneTransition? {
        guard daylight != nil else { return nil }
        var offset = offset(at: time)
        for change in changes(around: time) where change.at > time {
            if change.offset != offset { return TimeZoneTransition(at: change.at, before: offset, after: change.offset) }
            offset = change.offset
        }
        return nil
    }

    /// The changes of the years around `time`, in order, one at a time. Times of up to a week reach into the next year.
    private func changes(around time: Int64) -> [(at: Int64, offset: Int64)] {
        guard let daylight else { return [] }
        let year = CivilDate(daysSince1970: time.quotientFloor(86_400)).year
        var changes: [(at: Int64, offset: Int64)] = []
        for year in (year - 2)...(year + 3) {
            let begins = Self.local(daylight.begins, year) - standard
            let ends = Self.local(daylight.ends, year) - daylight.offset
            changes += [(ends, standard), (begins, daylight.offset)]
        }
        changes.sort { ($0.at, $0.offset == daylight.offset ? 1 : 0) < ($1.at, $1.offset == daylight.offset ? 1 : 0) }
        // Daylight saving that begins the moment it ends goes on: so a zone says that it has it all year (RFC 9636, 3.3.1).
        // What the last year's changes coincide with is not known.
        return changes.indices.dropLast(2).filter { changes[$0 + 1].at != changes[$0].at }.map { changes[$0] }
    }

    private static func local(_ change: Change, _ year: Int64) -> Int64 { change.day.days(inYear: year) * 86_400 + change.time }
}

extension PosixZone {
    /// Reads a TZ string such as `CET-1CEST,M3.5.0,M10.5.0/3`; nil for anything else. Daylight saving without its two
    /// dates is refused: what they would be is nobody's standard.
    init?(_ text: some Sequence<UInt8>) {
        var reader = PosixZoneReader(text)
        guard reader.name(), let standard = reader.offset() else { return nil }
        guard !reader.isAtEnd else {
            self.init(standard: -standard, daylight: nil)
            return
        }
        guard reader.name() else { return nil }
        // An hour ahead of standard time where nothing is said.
        let offset = reader.isAt(",") ? standard - 3600 : reader.offset()
        guard let offset, reader.skip(","), let begins = reader.change(), reader.skip(","), let ends = reader.change(),
              reader.isAtEnd else { return nil }
        self.init(standard: -standard, daylight: Daylight(offset: -offset, begins: begins, ends: ends))
    }
}

/// A day of every year in a POSIX TZ string (POSIX.1, 8.3).
enum PosixDay: Hashable, Sendable {
    /// `Jn`: 1 to 365. 29 February is never counted.
    case julian(Int64)
    /// `n`: 0 to 365. 29 February is counted.
    case ordinal(Int64)
    /// `Mm.w.d`: a month, the first to fourth or the last (5) of its days `d`, 0 being Sunday.
    case weekday(month: Int64, week: Int64, day: Int64)

    /// The day in a year, in days since 1970.
    func days(inYear year: Int64) -> Int64 {
        switch self {
        case .julian(let day):
            let isLeap = Self.firstDay(year, 3) - Self.firstDay(year, 2) == 29
            return Self.firstDay(year, 1) + day - 1 + (isLeap && day >= 60 ? 1 : 0)
        case .ordinal(let day):
            return Self.firstDay(year, 1) + day
        case .weekday(let month, let week, let day):
            let first = Self.firstDay(year, month)
            let next = month == 12 ? Self.firstDay(year + 1, 1) : Self.firstDay(year, month + 1)
            // 1 January 1970 was a Thursday, 4.
            let weekdayOfFirst = first + 4 - (first + 4).quotientFloor(7) * 7
            let firstOfDay = first + (day - weekdayOfFirst + 7) % 7
            let wanted = firstOfDay + (week - 1) * 7
            return wanted < next ? wanted : wanted - 7
        }
    }

    private static func firstDay(_ year: Int64, _ month: Int64) -> Int64 {
        // Months come from 1...12 and years from `TimeZoneData.times`, so that the day is there.
        CivilDate(year: year, month: month, day: 1)?.daysSince1970 ?? 0
    }
}
