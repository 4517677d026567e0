import Service

/// What the gate's clock says about its keys and their credentials.
struct KeyMoment: Hashable, Sendable {
    /// UNIX seconds. It is this time or, where nobody vouches for the clock, this or later: the floor.
    let seconds: Int64
    /// Whether somebody vouches for the clock.
    let isTrusted: Bool

    /// - Parameter floor: of the clock, milliseconds since 1970. What has been kept of it counts also after a power
    ///   cut, so that a gate does not go back to a key that it has left.
    init(_ time: WallTime, floor: Int64) {
        switch time.trust {
        case .synchronised, .holdover: self.init(seconds: time.seconds, isTrusted: true)
        case .untrusted: self.init(seconds: floor / 1000, isTrusted: false)
        }
    }

    init(seconds: Int64, isTrusted: Bool) {
        self.seconds = seconds
        self.isTrusted = isTrusted
    }
}

extension SystemClock {
    /// The moment of a reading of this clock.
    func keyMoment(of time: WallTime) -> KeyMoment { KeyMoment(time, floor: floorMilliseconds) }
}
