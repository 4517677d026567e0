/// What the one-offs of a schedule say at each minute, their priorities settled.
struct OneOffTimeline: Sendable {
    /// The minutes at which something begins or ends, in order.
    let boundaries: [Int64]
    /// What holds from each of them on: in force, not in force, or nothing said.
    private let verdicts: [Bool?]

    init(_ oneOffs: [OneOff]) {
        boundaries = Set(oneOffs.flatMap { [$0.from.minutes, $0.to.minutes] }).sorted()
        var changes: [Int64: [(standing: Standing, by: Int)]] = [:]
        for oneOff in oneOffs {
            let standing = Standing(priority: oneOff.priority, closes: !oneOff.opens)
            changes[oneOff.from.minutes, default: []].append((standing, 1))
            changes[oneOff.to.minutes, default: []].append((standing, -1))
        }
        var counts: [Standing: Int] = [:]
        verdicts = boundaries.map { boundary in
            for change in changes[boundary] ?? [] { counts[change.standing, default: 0] += change.by }
            return counts.filter { $0.value > 0 }.keys.max().map { !$0.closes }
        }
    }

    /// What is said at a minute; nil: nothing.
    func verdict(at minute: Int64) -> Bool? {
        let passed = count(notAfter: minute)
        return passed == 0 ? nil : verdicts[passed - 1]
    }

    /// The boundaries from a minute to another, the second not included.
    func boundaries(from start: Int64, to end: Int64) -> ArraySlice<Int64> {
        boundaries[count(notAfter: start - 1)..<count(notAfter: end - 1)]
    }

    private func count(notAfter minute: Int64) -> Int {
        var low = 0
        var high = boundaries.count
        while low < high {
            let middle = (low + high) / 2
            if boundaries[middle] <= minute { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Where a one-off stands among others: by priority, and closing before opening.
    private struct Standing: Comparable, Hashable {
        let priority: Int64
        let closes: Bool

        static func < (left: Standing, right: Standing) -> Bool {
            left.priority != right.priority ? left.priority < right.priority : !left.closes && right.closes
        }
    }
}
