import Vocabulary

/// The rules of the wall clock, without a clock: a sample goes in, a reading comes out.
struct WallClock: Sendable {
    /// A clock this little below its floor is right and the floor was set by a clock slightly ahead.
    static let skewMilliseconds: Int64 = 60_000

    var memory: ClockMemory
    var policy: ClockPolicy
    /// The kernel's boot_id.
    let boot: String
    /// A battery-backed clock set the system time at this boot.
    let hasBattery: Bool
    /// The newest signed date, if this boot was the first to see it.
    var signed: SignedDate? { memory.newestDate.flatMap { $0.boot == boot ? $0.date : nil } }

    init(memory: ClockMemory, policy: ClockPolicy, boot: String, hasBattery: Bool) {
        self.memory = memory
        self.policy = policy
        self.boot = boot
        self.hasBattery = hasBattery
    }

    /// The time and how far to believe it.
    mutating func read(_ sample: ClockSample) -> WallTime {
        var reading = time(by: sample)
        if abs(reading.milliseconds - sample.realtime) >= Self.setsMachine { reading.machine = sample.realtime }
        return reading
    }

    /// By how many milliseconds the machine's clock must be off for its reading to be kept beside the time.
    private static let setsMachine: Int64 = 1000

    private mutating func time(by sample: ClockSample) -> WallTime {
        settle(sample)
        // Also while the machine's clock is not believed: what has expired meanwhile stays so after a power cut.
        if let estimate { raiseFloor(to: estimate.earliest(at: sample.raw)) }
        if let estimate, !estimate.allows(sample.realtime, at: sample.raw) { return holdover(by: estimate, sample) }
        guard isAboveFloor(sample.realtime) else { return behindFloor(machine: sample.realtime, sample.realtime) }
        if isVouchedFor(sample) { believe(sample) }
        let trust = trust(sample)
        // What was true once is never undone by a power cut: nothing that expired comes back.
        if trust == .success(.synchronised) { raiseFloor(to: sample.realtime) }
        return time(max(sample.realtime, memory.floor), trust)
    }

    /// A signature that holds shows that its date has come. It counts from when it was first seen.
    mutating func saw(_ date: Int64, signedBy signer: SignedDate.Signer, _ sample: ClockSample) {
        // What an earlier boot has seen says nothing of when this one is: anybody may have kept it.
        guard date > memory.newestDate?.date.date ?? .min else { return }
        memory.newestDate = .init(boot: boot, date: SignedDate(signer: signer, date: date, seenAt: sample.raw))
    }

    /// Somebody who signs offline says that a date has come. A date never moves a clock that is vouched for: it raises the floor of one that nobody
    /// vouches for, and takes back what an older one of the same signer has raised.
    /// - Parameter rootDate: when the root was signed by which it counts, milliseconds since 1970.
    mutating func note(_ date: SignedFloor, rootDate: Int64?, _ sample: ClockSample) {
        let now = read(sample)
        var next = memory.signed?.followed(by: date, rootDate: rootDate) ?? date
        if now.doubt == nil { next.date = min(next.date, now.milliseconds) }
        memory.signed = next
    }

    /// Somebody says that the machine's present time is right. Root's word counts where the clock has jumped, and where nobody vouches for it.
    mutating func confirm(_ sample: ClockSample, byRoot isRoot: Bool) throws(ClockNotConfirmed) -> WallTime {
        let before = read(sample)
        guard isAboveFloor(sample.realtime) else { throw .behindFloor(.behindFloor(machine: sample.realtime, floor: memory.floor)) }
        if let jump = before.jump, !isRoot { throw .jumped(jump) }
        if before.doubt != nil, !isRoot { throw .notVouchedFor }
        memory.forgetDate(after: sample.realtime + Self.skewMilliseconds)
        if before.jump != nil || before.doubt != nil {
            begin(sample, by: .person)
            memory.lastSynchronised = .init(realtime: sample.realtime, sinceBoot: sample.sinceBoot, boot: boot)
            raiseFloor(to: sample.realtime)
        } else if estimate == nil {
            begin(sample, by: .person)
        } else {
            memory.estimate?.interval.basis = .person
        }
        return read(sample)
    }

    /// Forgets whatever lies ahead of the machine's present time, which a person vouches for: down to the
    /// last synchronisation if that is not ahead itself, and to the build date otherwise.
    /// - Parameter built: milliseconds since 1970.
    mutating func resetFloor(_ sample: ClockSample, built: Int64) throws(ClockNotSet) -> FloorReset {
        guard sample.realtime >= built else { throw ClockNotSet(machine: sample.realtime) }
        let before = memory.floor
        var kept = ClockMemory(floor: built)
        if let last = memory.lastSynchronised, last.realtime <= sample.realtime + Self.skewMilliseconds {
            kept = ClockMemory(floor: max(built, last.realtime), lastSynchronised: last)
        }
        // The same date, seen once more, raises nothing again.
        kept.signed = memory.signed
        if let date = memory.signed?.date, date > sample.realtime + Self.skewMilliseconds { kept.signed?.date = kept.seen }
        kept.newestDate = memory.newestDate
        kept.forgetDate(after: sample.realtime + Self.skewMilliseconds)
        // An estimate that the machine's time contradicts was wrong, too.
        if let estimate, estimate.allows(sample.realtime, at: sample.raw) { kept.estimate = memory.estimate }
        memory = kept
        return FloorReset(before: before, after: memory.floor, now: read(sample))
    }

    /// Moves the floor up, by what this machine knows itself; a lower value changes nothing.
    mutating func raiseFloor(to milliseconds: Int64) {
        memory.seen = max(memory.seen, milliseconds)
    }
}

extension WallClock {
    func isAboveFloor(_ milliseconds: Int64) -> Bool { milliseconds >= memory.floor - Self.skewMilliseconds }

    /// The latest moment that this machine knows of by itself.
    func own(_ sample: ClockSample) -> Int64 {
        let isJump = estimate?.allows(sample.realtime, at: sample.raw) == false
        return max(isJump ? estimate?.time(at: sample.raw) ?? .min : sample.realtime, memory.seen)
    }

    func isVouchedFor(_ sample: ClockSample) -> Bool { sample.kernelSynchronised || policy.source == .installer }

    private func time(_ milliseconds: Int64, _ trust: Result<ClockTrust, ClockDoubt>, jump: ClockJump? = nil) -> WallTime {
        let isConfirmed = switch policy.afterBoot {
        case .confirm: estimate?.basis.isConfirmed ?? false
        case .believe: true
        }
        return WallTime(milliseconds: milliseconds, trust: trust, basis: estimate?.basis, isConfirmed: isConfirmed, jump: jump)
    }

    /// The machine's clock is not believed: the estimate goes on, and neither floor nor memory learns anything of the jump.
    private func holdover(by estimate: ClockEstimate, _ sample: ClockSample) -> WallTime {
        let now = estimate.time(at: sample.raw)
        guard isAboveFloor(now) else { return behindFloor(machine: sample.realtime, now) }
        return time(max(now, memory.floor), holdover(age: estimate.age(at: sample.raw)), jump: ClockJump(machine: sample.realtime, estimate: now))
    }

    private func behindFloor(machine: Int64, _ milliseconds: Int64) -> WallTime {
        time(max(milliseconds, memory.floor), .failure(.behindFloor(machine: machine, floor: memory.floor)))
    }

    private func trust(_ sample: ClockSample) -> Result<ClockTrust, ClockDoubt> {
        if isVouchedFor(sample) { return .success(.synchronised) }
        guard let age = estimate?.age(at: sample.raw) ?? holdoverAge(sample) else { return .failure(.notSynchronised) }
        return holdover(age: age)
    }

    private func holdover(age: Int64) -> Result<ClockTrust, ClockDoubt> {
        age <= policy.holdoverLimitSeconds ? .success(.holdover(ageSeconds: age)) : .failure(.holdoverOver(ageSeconds: age))
    }

    /// Seconds since the last synchronisation, nil when the clock may have stood still since then: after a
    /// boot only a battery-backed clock has counted the time in between.
    private func holdoverAge(_ sample: ClockSample) -> Int64? {
        guard let last = memory.lastSynchronised else { return nil }
        if last.boot == boot { return max(0, sample.sinceBoot - last.sinceBoot) / 1000 }
        guard hasBattery, sample.realtime >= last.realtime else { return nil }
        return (sample.realtime - last.realtime) / 1000
    }
}

/// What a reset of the clock's floor came to.
public struct FloorReset: Hashable, Sendable {
    /// The floor before, milliseconds since 1970.
    public let before: Int64
    /// The floor from now on, milliseconds since 1970.
    public let after: Int64
    /// The time as it is read from now on.
    public let now: WallTime
}
