import Files
import Glibc
import Threads

/// What the clock remembers across restarts.
struct ClockMemory: Hashable, Sendable {
    /// What this machine knows by itself has come: the day on which the program was built, times at which its clock was vouched for. Milliseconds since 1970.
    var seen: Int64
    /// A date that somebody signed offline, and that raised the floor while nobody vouched for the clock.
    var signed: SignedFloor?
    /// The last moment the clock was seen synchronised.
    var lastSynchronised: Synchronisation?

    /// The newest date that a signature has shown, and the boot that saw it first.
    var newestDate: SeenDate?

    /// What the time can be, by the boot named in it.
    var estimate: Estimate?

    init(floor seen: Int64, lastSynchronised: Synchronisation? = nil, signed: SignedFloor? = nil, estimate: Estimate? = nil) {
        self.seen = seen
        self.signed = signed
        self.lastSynchronised = lastSynchronised
        self.estimate = estimate
    }

    /// No reading is below it. Milliseconds since 1970.
    var floor: Int64 { max(seen, signed?.date ?? .min) }

    struct SeenDate: Hashable, Sendable {
        /// The kernel's boot_id.
        var boot: String
        var date: SignedDate
    }

    /// A date ahead of what a person says is right was signed by a thief, or by a clock that was ahead: it must not hide those that are.
    mutating func forgetDate(after milliseconds: Int64) {
        if let newestDate, newestDate.date.date > milliseconds { self.newestDate = nil }
    }

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
        var merged = ClockMemory(
            floor: max(seen, other.seen, later?.realtime ?? .min), lastSynchronised: later,
            signed: signed.map { signed in other.signed.map { signed.merged(with: $0) } ?? signed } ?? other.signed, estimate: newer)
        merged.newestDate = [newestDate, other.newestDate].compactMap { $0 }.max { $0.date.date < $1.date.date }
        return merged
    }
}

/// Where the clock's memory lies: two copies in the state folder.
struct ClockStore: Sendable {
    let paths: [String]

    init(directory: String) {
        paths = ["\(directory)/clock", "\(directory)/clock.second"]
    }

    /// What both copies know, and a sentence for each one that could not be used.
    func load() -> (memory: ClockMemory?, complaints: [String]) {
        var memory: ClockMemory?
        var complaints: [String] = []
        for path in paths {
            do throws(SystemError) {
                let bytes = try SmallFile.read(path, limit: 4096)
                if let read = ClockFile.parse(bytes) {
                    memory = memory?.merged(with: read) ?? read
                } else {
                    complaints.append("\(path) is damaged; it will be written anew.")
                }
            } catch {
                if error.number != ENOENT { complaints.append(error.message) }
            }
        }
        return (memory, complaints)
    }

    func save(_ memory: ClockMemory) throws(SystemError) {
        for path in paths { try SmallFile.replace(path, with: ClockFile.text(memory)) }
    }
}
