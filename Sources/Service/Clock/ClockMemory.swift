/// What the clock remembers across restarts.
struct ClockMemory: Hashable, Sendable {
    /// No reading is below it. Milliseconds since 1970.
    var floor: Int64
    /// The last moment the clock was seen synchronised.
    var lastSynchronised: Synchronisation?

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
        return ClockMemory(floor: max(floor, other.floor, later?.realtime ?? .min), lastSynchronised: later)
    }
}
