import Credentials

/// Who is in one zone, as far as the gate has seen. Times are UNIX milliseconds.
struct ZoneOccupancy: Equatable, Sendable {
    /// Those who are inside, and since when.
    private(set) var present: [PersonDigest: Int64] = [:]
    /// Those who were inside when the way out stood open: shown, held against nobody.
    private(set) var doubtful: [PersonDigest: Int64] = [:]
    /// From when on those wait whom a clock that was set back would have wait longer.
    private var waitsFrom: [PersonDigest: Int64] = [:]
    /// The daily reset that was made last.
    private var reset: Int64?

    /// How many entries it keeps in memory.
    var count: Int { present.count + doubtful.count }

    mutating func enter(_ person: PersonDigest, at time: Int64) {
        doubtful[person] = nil
        waitsFrom[person] = nil
        present[person] = time
    }

    /// Whether anything was known of the person.
    mutating func leave(_ person: PersonDigest) -> Bool {
        waitsFrom[person] = nil
        // Both are asked.
        let wasPresent = present.removeValue(forKey: person) != nil
        return doubtful.removeValue(forKey: person) != nil || wasPresent
    }

    /// After everybody who is known, and not before `now`: a clock that was set back leaves nobody out.
    func afterAll(_ now: Int64) -> Int64 {
        [present.values.max(), doubtful.values.max()].compactMap(\.self).reduce(now) { max($0, $1 + 1) }
    }

    /// Whether that reset is still to be made. One that lies before the last is, too: the clock was fixed.
    mutating func isNews(reset time: Int64) -> Bool {
        defer { reset = time }
        return reset != time
    }

    /// Those who came in later than a day from now, by a clock that was ahead: no reset would ever reach them.
    func fromAhead(of now: Int64) -> [PersonDigest] {
        let day: Int64 = 86_400_000
        return (Array(present) + Array(doubtful)).filter { $0.value - day > now }.map(\.key)
    }

    /// Whether anybody was known.
    mutating func empty(before time: Int64) -> Bool {
        let before = count
        present = present.filter { $0.value >= time }
        doubtful = doubtful.filter { $0.value >= time }
        waitsFrom = waitsFrom.filter { present[$0.key] != nil }
        return count < before
    }

    mutating func doubt() {
        doubtful.merge(present) { _, new in new }
        present = [:]
        waitsFrom = [:]
    }

    /// Since when the person waits who wants to come in again at `now`: a clock that was set back makes nobody wait for longer than
    /// one who has come in just now.
    mutating func waitBegins(of person: PersonDigest, at now: Int64) -> Int64? {
        guard let since = present[person] else { return nil }
        guard since > now || waitsFrom[person] != nil else { return since }
        let begins = min(waitsFrom[person] ?? since, now)
        waitsFrom[person] = begins
        return begins
    }

    /// The one who has been inside for longest.
    var oldest: (person: PersonDigest, since: Int64)? {
        let first = present.min { $0.value < $1.value }
        let doubted = doubtful.min { $0.value < $1.value }
        return [first, doubted].compactMap(\.self).min { $0.value < $1.value }.map { ($0.key, $0.value) }
    }
}
