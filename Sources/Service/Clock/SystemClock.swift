import CLinux
import Threads

/// The clocks of this machine: monotonic for every interval, wall clock with a level of trust and a floor
/// that never moves back by itself.
///
/// The floor starts at the build date. Every reading of a synchronised clock moves it up, and so does
/// `raiseFloor` (site data's time of issue); `save` keeps it. Readings never block; `save` writes to the disk
/// and belongs on a thread that serves nobody.
public final class SystemClock: Sendable {
    /// What was wrong with the kept memory at start: sentences for the log.
    public let complaints: [String]

    private let clock: Mutex<WallClock>
    private let saved: Mutex<ClockMemory?>
    private let store: ClockStore?
    private let sample: @Sendable () -> ClockSample

    /// - Parameter directory: the state folder; nil keeps nothing (programs that are no daemon).
    public convenience init(directory: String?, policy: ClockPolicy = ClockPolicy()) {
        self.init(store: directory.map(ClockStore.init), policy: policy, boot: Self.bootIdentifier,
                  hasBattery: Self.clockWasSetFromBattery, sample: ClockSample.take)
    }

    init(store: ClockStore?, policy: ClockPolicy, boot: String, hasBattery: Bool,
         sample: @escaping @Sendable () -> ClockSample) {
        let (kept, complaints) = store?.load() ?? (nil, [])
        let built = ClockMemory(floor: clinux_build_seconds() * 1000)
        let memory = kept.map { $0.merged(with: built) } ?? built
        self.complaints = complaints
        self.store = store
        self.sample = sample
        clock = Mutex(WallClock(memory: memory, policy: policy, boot: boot, hasBattery: hasBattery))
        saved = Mutex(complaints.isEmpty ? kept : nil)
    }

    /// The wall clock.
    public func now() -> WallTime {
        let sample = sample()
        return clock.withLock { $0.read(sample) }
    }

    /// No reading is below it. Milliseconds since 1970.
    public var floorMilliseconds: Int64 { clock.withLock { $0.memory.floor } }

    /// Moves the floor up; a lower value changes nothing.
    public func raiseFloor(toMilliseconds milliseconds: Int64) {
        clock.withLock { $0.raiseFloor(to: milliseconds) }
    }

    /// Takes over a changed policy; the memory stays.
    public func apply(_ policy: ClockPolicy) {
        clock.withLock { $0.policy = policy }
    }

    /// The one way back, for a person who knows that the floor is wrong: down to the build date.
    public func resetFloor() {
        clock.withLock { $0.memory = ClockMemory(floor: clinux_build_seconds() * 1000) }
    }

    /// Looks at the clock once more, and keeps the memory if it has changed since the last time. Call it every
    /// few minutes and at the end: what was seen since is forgotten by a power cut.
    public func save() throws(SystemError) {
        _ = now()
        guard let store else { return }
        try saved.withLock { saved throws(SystemError) in
            let memory = clock.withLock { $0.memory }
            guard saved != memory else { return }
            try store.save(memory)
            saved = memory
        }
    }
}

extension SystemClock {
    /// Nanoseconds that only ever grow, from an arbitrary start.
    public static var monotonicNanoseconds: Int64 { clinux_monotonic_nanoseconds() }
    /// Microseconds that only ever grow, from an arbitrary start.
    public static var monotonicMicroseconds: Int64 { clinux_monotonic_nanoseconds() / 1000 }
    /// Milliseconds that only ever grow, from an arbitrary start.
    public static var monotonicMilliseconds: Int64 { clinux_monotonic_nanoseconds() / 1_000_000 }

    /// The kernel's name for this boot (36 characters); "unknown" where /proc is hidden.
    public static let bootIdentifier: String = {
        let bytes = try? SmallFile.read("/proc/sys/kernel/random/boot_id", limit: 64)
        let text = bytes.map { String(decoding: $0.filter { $0 > 0x20 }, as: UTF8.self) } ?? ""
        return text.isEmpty ? "unknown" : text
    }()

    /// True when a battery-backed clock set the system time at boot (its `hctosys` is 1).
    static let clockWasSetFromBattery: Bool = (0..<4).contains { number in
        let flag = try? SmallFile.read("/sys/class/rtc/rtc\(number)/hctosys", limit: 16)
        return flag?.first == UInt8(ascii: "1")
    }
}
