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

/// The latest samples of one link. A single one says little: a hand on the phone or a reflection moves it by 10 dB.
struct SignalSamples: Equatable, Sendable {
    /// As many make one value.
    static let count = 3

    private var latest: [SignalStrength] = []

    /// One more sample; what is not known counts as the weakest.
    mutating func add(_ strength: SignalStrength) {
        if latest.count == Self.count { latest.removeFirst() }
        latest.append(strength)
    }

    /// The median of the last three; nil before there are three.
    var smoothed: SignalStrength? {
        latest.count == Self.count ? latest.sorted()[Self.count / 2] : nil
    }
}

/// How one link stands to one lane (T5).
enum LaneSight: Equatable, Sendable {
    /// The phone is not near, and may still come.
    case sought(until: Instant)
    /// The phone is near. The window it had to come ends then; whoever leaves before may come again.
    case near(windowEnds: Instant)
    /// The phone was not near when the window ended, or has left since.
    case far

    /// After one more smoothed measurement.
    func after(_ strength: SignalStrength, by rule: ProximityRule, at now: Instant) -> LaneSight {
        switch self {
        case .sought(let until): rule.isNear(strength, wasNear: false) ? .near(windowEnds: until) : self
        case .near(let until):
            if rule.isNear(strength, wasNear: true) { self } else { now < until ? .sought(until: until) : .far }
        case .far: .far
        }
    }

    /// When time has come to `now`.
    func advanced(to now: Instant) -> LaneSight {
        switch self {
        case .sought(let until): now < until ? self : .far
        case .near, .far: self
        }
    }

    /// The same with a window that ends so much later.
    func postponed(by milliseconds: Int64) -> LaneSight {
        switch self {
        case .sought(let until): .sought(until: until + milliseconds)
        case .near(let until): .near(windowEnds: until + milliseconds)
        case .far: .far
        }
    }
}
