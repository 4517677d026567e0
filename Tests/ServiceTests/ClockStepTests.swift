import Testing
import Threads

@testable import Service

/// A clock that somebody set, and what it says itself where that is not what counts.
@Suite("A clock that is set") struct ClockStepTests {
    func sample(_ realtime: Int64, raw: Int64) -> ClockSample {
        ClockSample(realtime: realtime, sinceBoot: raw, raw: raw, kernelSynchronised: true)
    }

    @Test func aSettingIsOneAndASlewIsNone() {
        let first = sample(1_000_000, raw: 5000)
        #expect(ClockStep(between: first, and: sample(1_001_000, raw: 6000)) == nil)
        #expect(ClockStep(between: first, and: sample(1_003_001, raw: 6000)) == nil, "a leap second, and a second of a suspend")
        // chrony, by 8 % over ten minutes.
        #expect(ClockStep(between: first, and: sample(1_648_000, raw: 605_000)) == nil)
        #expect(ClockStep(between: first, and: sample(1_552_000, raw: 605_000)) == nil)
        for (realtime, raw) in [(1_003_200, 6000), (990_000, 6000), (5_000_000, 605_000)] as [(Int64, Int64)] {
            let step = ClockStep(between: first, and: sample(realtime, raw: raw))
            #expect(step?.from == 1_000_000 + raw - 5000 && step?.to == realtime)
        }
    }

    @Test func eachSettingIsToldOnce() {
        let machine = Monitor(ClockSample(realtime: 2_000_000_000_000, sinceBoot: 1000, kernelSynchronised: true))
        let clock = SystemClock(store: nil, policy: ClockPolicy(), boot: "boot", hasBattery: false, sample: { _ in machine.withLock { $0 } })
        func go(_ milliseconds: Int64, setBy: Int64 = 0) {
            machine.withLock { sample in
                sample = ClockSample(realtime: sample.realtime + milliseconds + setBy, sinceBoot: sample.sinceBoot + milliseconds, kernelSynchronised: true)
            }
        }
        #expect(clock.drainSteps().isEmpty)
        go(1000, setBy: 3_600_000)
        // Whoever looks first: nothing of it is lost.
        _ = clock.now()
        go(1000, setBy: -3_600_000)
        #expect(clock.drainSteps().map { $0.to - $0.from } == [3_600_000, -3_600_000])
        go(1000)
        #expect(clock.drainSteps().isEmpty)
        for _ in 1...20 {
            go(1000, setBy: 60_000)
            _ = clock.now()
        }
        #expect(clock.drainSteps().count == 8)
    }

    /// A clock that was ahead and came back: all times are the floor's, and the machine's own readings tell them apart.
    @Test func behindTheFloorTheMachinesReadingGoesOn() {
        var clock = WallClock(memory: ClockMemory(floor: 5_000_000), policy: ClockPolicy(), boot: "boot", hasBattery: false)
        let times = [1_000_000, 1_001_000, 1_002_500].map { clock.read(sample($0, raw: $0)) }
        #expect(times.map(\.milliseconds) == [5_000_000, 5_000_000, 5_000_000])
        #expect(times.map(\.machine) == [1_000_000, 1_001_000, 1_002_500])
        #expect(times.allSatisfy { $0.trust.word == "untrusted" })
        let right = clock.read(sample(5_001_000, raw: 5_001_000))
        #expect(right.machine == nil, "it is what counts")
    }
}
