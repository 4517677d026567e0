/// Token buckets, one for each key: each failure takes a token, tokens come back with time, and who has none left waits. Values only; whoever
/// owns it tells the time, on a clock that only grows.
///
/// The table is bounded: who sends from ever new keys pushes out those who have been quiet for longest, and nobody else.
public struct RateLimit<Key: Hashable & Sendable>: Sendable {
    /// How often somebody may fail.
    public struct Pace: Hashable, Sendable {
        /// So many times at once.
        public let burst: Int
        /// And once more for each of so many milliseconds.
        public let interval: Int64

        /// A pace; both are at least 1.
        public init(burst: Int, interval: Int64) {
            self.burst = max(1, burst)
            self.interval = max(1, interval)
        }
    }

    /// The pace of each key.
    public let pace: Pace
    /// The most keys that are remembered.
    public let capacity: Int
    /// When each bucket is full again, milliseconds. (A bucket is as empty as that lies ahead.)
    private var fullAt: [Key: Int64] = [:]

    /// Nobody has failed yet.
    public init(pace: Pace, capacity: Int = 10_000) {
        self.pace = pace
        self.capacity = max(1, capacity)
    }

    /// How many keys are remembered.
    public var count: Int { fullAt.count }

    /// For how many milliseconds a key has to wait; nil: it may try.
    public func wait(_ key: Key, now: Int64) -> Int64? {
        guard let full = fullAt[key] else { return nil }
        // One token is there as soon as no more than burst − 1 are missing.
        let wait = full - now - Int64(pace.burst - 1) * pace.interval
        return wait > 0 ? wait : nil
    }

    /// Takes a token away.
    public mutating func note(_ key: Key, now: Int64) {
        let most = now + Int64(pace.burst) * pace.interval
        let full = min(max(fullAt[key] ?? now, now) + pace.interval, most)
        if fullAt[key] == nil, fullAt.count >= capacity { makeRoom(now: now) }
        fullAt[key] = full
    }

    /// Full buckets go; if that is not enough, the fuller half of all.
    private mutating func makeRoom(now: Int64) {
        fullAt = fullAt.filter { $0.value > now }
        guard fullAt.count >= capacity else { return }
        let emptiest = fullAt.sorted { $0.value > $1.value }.prefix(capacity / 2)
        fullAt = Dictionary(uniqueKeysWithValues: emptiest.map { ($0.key, $0.value) })
    }
}
