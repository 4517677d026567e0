/// Which of a radio's hang-ups the log is told: of each kind the first at once, then at most one line a minute, with the number of
/// those in between. A stranger who connects again and again fills no log.
public struct HangUpTally: Equatable, Sendable {
    /// Milliseconds from one line to the next of its kind.
    static let pause: Int64 = 60_000

    private struct Kind: Equatable {
        /// When the log may be told again.
        var next: Instant
        /// How many it was not told of.
        var untold = 0
    }

    private var kinds: [LinkRefusal: Kind] = [:]

    public init() {}

    /// The gate hangs up. Returns how many like it the log was not told of, if it is told of this one; nil if not.
    public mutating func hangUp(_ refusal: LinkRefusal, at now: Instant) -> Int? {
        if let kind = kinds[refusal], now < kind.next {
            kinds[refusal]?.untold += 1
            return nil
        }
        defer { kinds[refusal] = Kind(next: now + Self.pause) }
        return kinds[refusal]?.untold ?? 0
    }

    /// When `remainder` has something to tell.
    public var nextChange: Instant? {
        kinds.values.filter { $0.untold > 0 }.map(\.next).min()
    }

    /// How many the log was not told of, by kind, once their minute is over; in the order of the catalogue.
    public mutating func remainder(at now: Instant) -> [(refusal: LinkRefusal, untold: Int)] {
        let due = LinkRefusal.allCases.compactMap { refusal in
            kinds[refusal].flatMap { $0.untold > 0 && $0.next <= now ? (refusal: refusal, untold: $0.untold) : nil }
        }
        for (refusal, _) in due { kinds[refusal] = Kind(next: now + Self.pause) }
        return due
    }
}
