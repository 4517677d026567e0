/// How often the advertisement may be renewed: as often as phones come and go, of which a gate sees a few in a second; a stranger who
/// connects and leaves without end keeps neither bluetoothd nor us busy with it. Pure; times are monotonic milliseconds.
struct RenewalPace {
    /// So many at once, after a quiet time.
    static let burst: Int64 = 10
    /// In the long run one in so many milliseconds.
    static let intervalMilliseconds: Int64 = 250

    /// When all that was used is given back.
    private var settled = Int64.min

    /// The first moment from `now` on at which one more is allowed.
    func next(from now: Int64) -> Int64 { max(now, max(settled, now) - (Self.burst - 1) * Self.intervalMilliseconds) }

    /// One was made.
    mutating func use(at now: Int64) { settled = max(settled, now) + Self.intervalMilliseconds }
}
