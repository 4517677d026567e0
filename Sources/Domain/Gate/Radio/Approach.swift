/// A phone that has connected and was not listened to yet: how near it is to each lane (T5).
struct Approach: Equatable, Sendable {
    /// What is known of its distance.
    enum Verdict: Equatable, Sendable {
        /// It is near these lanes.
        case near([String])
        /// It is near none and may still come, at the latest then.
        case open(until: Instant)
        /// It is near none, and is not waited for.
        case far
    }

    /// One lane, by the rule that stood when the link was first seen, and how the link stands to it.
    private struct Place: Equatable, Sendable {
        let rule: ProximityRule
        var sight: LaneSight

        var isNear: Bool {
            switch sight {
            case .near: true
            case .sought, .far: false
            }
        }

        var soughtUntil: Instant? {
            switch sight {
            case .sought(let until): until
            case .near, .far: nil
            }
        }
    }

    private var samples = SignalSamples()
    private var places: [Place]

    /// A link that is first seen at `now`: the windows begin here, whenever the phone says something.
    init(_ rules: [ProximityRule], at now: Instant) {
        places = rules.map { Place(rule: $0, sight: .sought(until: now + $0.window)) }
    }

    /// How strong the phone is heard, smoothed; nil before that can be said.
    var strength: SignalStrength? { samples.smoothed }

    /// What is known of its distance now.
    var verdict: Verdict {
        let near = places.filter(\.isNear).map(\.rule.lane)
        if !near.isEmpty { return .near(near) }
        return windowEnds.map { .open(until: $0) } ?? .far
    }

    /// When the last window is over in which the phone may still come near.
    private var windowEnds: Instant? {
        places.compactMap(\.soughtUntil).max()
    }

    /// When a window is over next.
    var nextChange: Instant? {
        places.compactMap(\.soughtUntil).min()
    }

    /// One more measurement at `now`.
    mutating func add(_ sample: SignalStrength, at now: Instant) {
        samples.add(sample)
        guard let strength = samples.smoothed else { return }
        for index in places.indices { places[index].sight = places[index].sight.after(strength, by: places[index].rule, at: now) }
    }

    /// The windows end so much later.
    mutating func postpone(by milliseconds: Int64) {
        for index in places.indices { places[index].sight = places[index].sight.postponed(by: milliseconds) }
    }

    /// Time has come to `now`.
    mutating func advance(to now: Instant) {
        for index in places.indices { places[index].sight = places[index].sight.advanced(to: now) }
    }
}
