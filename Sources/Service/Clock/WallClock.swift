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

    /// The time and how far to believe it.
    mutating func read(_ sample: ClockSample) -> WallTime {
        let time = max(sample.realtime, memory.floor)
        guard sample.realtime >= memory.floor - Self.skewMilliseconds else {
            return WallTime(milliseconds: time, trust: .untrusted(.behindFloor(machine: sample.realtime, floor: memory.floor)))
        }
        if sample.kernelSynchronised {
            memory.lastSynchronised = .init(realtime: sample.realtime, sinceBoot: sample.sinceBoot, boot: boot)
        }
        let trust = trust(sample)
        // What was true once is never undone by a power cut: nothing that expired comes back.
        if trust == .synchronised { raiseFloor(to: sample.realtime) }
        return WallTime(milliseconds: time, trust: trust)
    }

    private func trust(_ sample: ClockSample) -> TimeTrust {
        if sample.kernelSynchronised || policy.source == .installer { return .synchronised }
        guard let age = holdoverAge(sample) else { return .untrusted(.notSynchronised) }
        return age <= policy.holdoverLimitSeconds ? .holdover(ageSeconds: age) : .untrusted(.holdoverOver(ageSeconds: age))
    }

    /// Seconds since the last synchronisation, nil when the clock may have stood still since then: after a
    /// boot only a battery-backed clock has counted the time in between.
    private func holdoverAge(_ sample: ClockSample) -> Int64? {
        guard let last = memory.lastSynchronised else { return nil }
        if last.boot == boot { return max(0, sample.sinceBoot - last.sinceBoot) / 1000 }
        guard hasBattery, sample.realtime >= last.realtime else { return nil }
        return (sample.realtime - last.realtime) / 1000
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
        memory = kept
        let now = read(sample)
        return FloorReset(before: before, after: memory.floor, now: now)
    }

    /// Moves the floor up; a lower value changes nothing.
    mutating func raiseFloor(to milliseconds: Int64) {
        memory.floor = max(memory.floor, milliseconds)
    }
}
