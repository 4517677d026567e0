/// Which links are measured, and when next. Pure; times are monotonic milliseconds.
struct SamplingPlan {
    private struct Sampled {
        let every: Int64
        var next: Int64
        /// Asked for, and not answered yet.
        var isOpen = false
    }

    private var sampled: [RadioLink: Sampled] = [:]

    /// Measures from now on, at once and then so often.
    mutating func add(_ link: RadioLink, every milliseconds: Int64, now: Int64) {
        sampled[link] = Sampled(every: max(1, milliseconds), next: now)
    }

    mutating func remove(_ link: RadioLink) { sampled[link] = nil }

    /// When something is due; nil for never.
    var next: Int64? { sampled.values.map(\.next).min() }

    /// The links to be asked for now, and those whose last sample never came.
    mutating func due(at now: Int64) -> (ask: [RadioLink], missed: [RadioLink]) {
        let due = sampled.filter { $0.value.next <= now }.keys.sorted { $0.id < $1.id }
        let missed = due.filter { sampled[$0]?.isOpen == true }
        for link in due {
            guard let every = sampled[link]?.every else { continue }
            sampled[link]?.next = now + every
            sampled[link]?.isOpen = true
        }
        return (due, missed)
    }

    /// A sample has come. False when nobody waits for it.
    mutating func answered(_ link: RadioLink) -> Bool {
        guard sampled[link]?.isOpen == true else { return false }
        sampled[link]?.isOpen = false
        return true
    }
}
