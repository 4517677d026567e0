import CLinux
import Files
import Threads

/// The clocks of this machine: monotonic for every interval, wall clock with a level of trust and a floor
/// that never moves back by itself.
///
/// The floor starts at the build date. Every reading of a synchronised clock moves it up, and so does
/// `note` (a date signed offline, while nobody vouches for the clock); `save` keeps it. Readings never block; `save` writes to the disk
/// and belongs on a thread that serves nobody.
public final class SystemClock: Sendable {
    /// What was wrong with the kept memory at start: sentences for the log.
    public let complaints: [String]

    private struct State {
        var wall: WallClock
        /// The latest reading of the machine.
        var last: ClockSample?
        /// Somebody set it, and that was not asked for yet: the newest ones.
        var steps: [ClockStep] = []
        /// What was told last about the trust.
        var reported: ClockTidings?

        mutating func note(_ sample: ClockSample) {
            if let step = last.flatMap({ ClockStep(between: $0, and: sample) }), steps.count < SystemClock.mostSteps { steps.append(step) }
            last = sample
        }
    }

    private let state: Mutex<State>
    /// More of them in a second say no more.
    private static let mostSteps = 8
    private let saved: Mutex<ClockMemory?>
    private let store: ClockStore?
    private let sample: @Sendable (ClockSample?) -> ClockSample
    private let onTrustChange: @Sendable (WallTime) -> Void

    /// - Parameters:
    ///   - directory: the state folder; nil keeps nothing (programs that are no daemon).
    ///   - onTrustChange: called with the first reading, and with each whose trust or its cause differs from
    ///     the one before, or that somebody confirmed, or that is no longer the machine's, on the thread that asked for the time. Must not block.
    public convenience init(directory: String?, policy: ClockPolicy = ClockPolicy(),
                            onTrustChange: @escaping @Sendable (WallTime) -> Void = { _ in }) {
        self.init(store: directory.map(ClockStore.init), policy: policy, boot: Self.bootIdentifier,
                  hasBattery: Self.clockWasSetFromBattery, sample: { ClockSample.read(after: $0) }, onTrustChange: onTrustChange)
    }

    init(store: ClockStore?, policy: ClockPolicy, boot: String, hasBattery: Bool,
         sample: @escaping @Sendable (ClockSample?) -> ClockSample, onTrustChange: @escaping @Sendable (WallTime) -> Void = { _ in }) {
        let (kept, complaints) = store?.load() ?? (nil, [])
        let built = ClockMemory(floor: clinux_build_seconds() * 1000)
        var memory = kept.map { $0.merged(with: built) } ?? built
        // Boots that have no name cannot be told apart.
        if boot == Self.unknownBoot { memory.estimate = nil }
        self.complaints = complaints
        self.store = store
        self.sample = sample
        self.onTrustChange = onTrustChange
        state = Mutex(State(wall: WallClock(memory: memory, policy: policy, boot: boot, hasBattery: hasBattery)))
        saved = Mutex(complaints.isEmpty ? kept : nil)
    }

    /// The wall clock.
    public func now() -> WallTime {
        let sample = sample(state.withLock { $0.last })
        let (time, isNews) = state.withLock { state in
            state.note(sample)
            let time = state.wall.read(sample)
            defer { state.reported = time.tidings }
            return (time, state.reported != time.tidings)
        }
        if isNews { onTrustChange(time) }
        return time
    }

    /// Looks at the clock, and answers when somebody has set it since the last call, the oldest first.
    public func drainSteps() -> [ClockStep] {
        _ = now()
        return state.withLock { state in
            defer { state.steps = [] }
            return state.steps
        }
    }

    /// No reading is below it. Milliseconds since 1970.
    public var floorMilliseconds: Int64 { state.withLock { $0.wall.memory.floor } }

    /// The latest moment of which this machine is sure without what others signed: what they signed must not be judged by it. Milliseconds since 1970.
    public var ownMilliseconds: Int64 {
        let sample = sample(nil)
        return state.withLock { $0.wall.own(sample) }
    }

    /// Somebody who signs offline says that a date has come.
    /// - Parameter rootDate: when the root was signed by which it counts, milliseconds since 1970; nil where there is none.
    public func note(_ date: SignedFloor, rootDate: Int64? = nil) {
        let sample = sample(nil)
        state.withLock { $0.wall.note(date, rootDate: rootDate, sample) }
        _ = now()
    }

    /// Moves the floor up, by what this machine knows itself; a lower value changes nothing.
    public func raiseFloor(toMilliseconds milliseconds: Int64) {
        state.withLock { $0.wall.raiseFloor(to: milliseconds) }
    }

    /// A signature that holds shows that this time has come, milliseconds since 1970. It moves neither clock nor floor by itself.
    public func saw(_ milliseconds: Int64, signedBy signer: SignedDate.Signer) {
        let sample = sample(nil)
        state.withLock { $0.wall.saw(milliseconds, signedBy: signer, sample) }
        _ = now()
    }

    /// Somebody says that the machine's present time is right. `save` keeps it.
    public func confirm(byRoot isRoot: Bool) throws(ClockNotConfirmed) -> WallTime {
        let sample = sample(nil)
        let time = try state.withLock { state throws(ClockNotConfirmed) in try state.wall.confirm(sample, byRoot: isRoot) }
        _ = now()
        return time
    }

    /// Takes over a changed policy; the memory stays.
    public func apply(_ policy: ClockPolicy) {
        state.withLock { $0.wall.policy = policy }
    }

    /// The one way back, for a person who knows that the machine's time is right and the floor is not: down
    /// to the last synchronisation, or to the build date if that one was ahead too. `save` keeps it.
    public func resetFloor() throws(ClockNotSet) -> FloorReset {
        let sample = sample(nil)
        let reset = try state.withLock { state throws(ClockNotSet) in
            try state.wall.resetFloor(sample, built: clinux_build_seconds() * 1000)
        }
        _ = now()
        return reset
    }

    /// Looks at the clock once more, and keeps the memory if it has changed since the last time. Call it every
    /// few minutes and at the end: what was seen since is forgotten by a power cut.
    public func save() throws(SystemError) {
        _ = now()
        guard let store else { return }
        try saved.withLock { saved throws(SystemError) in
            let memory = state.withLock { $0.wall.memory }
            guard saved != memory else { return }
            try store.save(memory)
            saved = memory
        }
    }
}

extension SystemClock {
    /// The kernel's name for this boot (36 characters); "unknown" where /proc is hidden.
    public static let bootIdentifier: String = {
        let bytes = try? SmallFile.read("/proc/sys/kernel/random/boot_id", limit: 64)
        let text = bytes.map { String(decoding: $0.filter { $0 > 0x20 }, as: UTF8.self) } ?? ""
        return text.isEmpty ? unknownBoot : text
    }()

    private static let unknownBoot = "unknown"

    /// True when a battery-backed clock set the system time at boot (its `hctosys` is 1).
    static let clockWasSetFromBattery: Bool = (0..<4).contains { number in
        let flag = try? SmallFile.read("/sys/class/rtc/rtc\(number)/hctosys", limit: 16)
        return flag?.first == UInt8(ascii: "1")
    }
}
