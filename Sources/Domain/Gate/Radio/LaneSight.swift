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
