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
