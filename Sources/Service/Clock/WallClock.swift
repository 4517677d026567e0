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
            return WallTime(milliseconds: time, trust: .untrusted)
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
        guard let age = holdoverAge(sample), age <= policy.holdoverLimitSeconds else { return .untrusted }
        return .holdover(ageSeconds: age)
    }

    /// Seconds since the last synchronisation, nil when the clock may have stood still since then: after a
    /// boot only a battery-backed clock has counted the time in between.
    private func holdoverAge(_ sample: ClockSample) -> Int64? {
        guard let last = memory.lastSynchronised else { return nil }
        if last.boot == boot { return max(0, sample.sinceBoot - last.sinceBoot) / 1000 }
        guard hasBattery, sample.realtime >= last.realtime else { return nil }
        return (sample.realtime - last.realtime) / 1000
    }

    /// Moves the floor up; a lower value changes nothing.
    mutating func raiseFloor(to milliseconds: Int64) {
        memory.floor = max(memory.floor, milliseconds)
    }
}
