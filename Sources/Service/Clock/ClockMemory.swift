/// What the clock remembers across restarts.
struct ClockMemory: Hashable, Sendable {
    /// No reading is below it. Milliseconds since 1970.
    var floor: Int64
    /// The last moment the clock was seen synchronised.
    var lastSynchronised: Synchronisation?

    /// What the time can be, by the boot named in it.
    var estimate: Estimate?

    struct Estimate: Hashable, Sendable {
        /// The kernel's boot_id.
        var boot: String
        var interval: ClockEstimate

        /// Within a boot the oscillator counts: a person may have set the clock back meanwhile.
        func isNewer(than other: Estimate) -> Bool {
            boot == other.boot ? interval.believedAt > other.interval.believedAt : interval.believed > other.interval.believed
        }
    }

    struct Synchronisation: Hashable, Sendable {
        /// Milliseconds since 1970.
        var realtime: Int64
        /// Milliseconds since the boot named beside it.
        var sinceBoot: Int64
        /// The kernel's boot_id.
        var boot: String
    }

    /// What both know: the later synchronisation, and the highest floor that any of it makes.
    func merged(with other: ClockMemory) -> ClockMemory {
        let later = [lastSynchronised, other.lastSynchronised].compactMap { $0 }.max { $0.realtime < $1.realtime }
        let newer = [estimate, other.estimate].compactMap { $0 }.max { $1.isNewer(than: $0) }
        return ClockMemory(floor: max(floor, other.floor, later?.realtime ?? .min), lastSynchronised: later, estimate: newer)
    }
}
