import Encoding
@testable import Service
import Testing

@Suite("The rules of the wall clock")
struct WallClockTests {
    static let day: Int64 = 86_400_000

    func clock(floor: Int64 = 0, last: ClockMemory.Synchronisation? = nil, battery: Bool = false,
               policy: ClockPolicy = ClockPolicy()) -> WallClock {
        WallClock(memory: ClockMemory(floor: floor, lastSynchronised: last), policy: policy, boot: "now", hasBattery: battery)
    }

    func sample(_ realtime: Int64, sinceBoot: Int64 = 1000, synchronised: Bool = false) -> ClockSample {
        ClockSample(realtime: realtime, sinceBoot: sinceBoot, kernelSynchronised: synchronised)
    }

    @Test("The kernel's word counts")
    func synchronised() {
        var clock = clock()
        #expect(clock.read(sample(5000, synchronised: true)).plain == WallTime(milliseconds: 5000, trust: .synchronised))
    }

    @Test("Without it and without a past the clock is untrusted")
    func untrusted() {
        var clock = clock()
        #expect(clock.read(sample(5000)).plain == WallTime(milliseconds: 5000, doubt: .notSynchronised))
    }

    @Test("After a synchronisation it is believed for a while, by an age no one can set back")
    func holdover() {
        var clock = clock(policy: ClockPolicy(holdoverLimitSeconds: 100))
        _ = clock.read(sample(1_000_000, sinceBoot: 1000, synchronised: true))
        #expect(clock.read(sample(1_050_000, sinceBoot: 51_000)).trust == .holdover(ageSeconds: 50))
        // The wall clock was set by hand; the age comes from the time since boot.
        #expect(clock.read(sample(9_000_000, sinceBoot: 61_000)).trust == .holdover(ageSeconds: 60))
        #expect(clock.read(sample(1_101_000, sinceBoot: 101_000)).trust == .holdover(ageSeconds: 100))
        #expect(clock.read(sample(1_102_000, sinceBoot: 102_000)).doubt == .holdoverOver(ageSeconds: 101))
        #expect(clock.read(sample(1_103_000, sinceBoot: 103_000, synchronised: true)).trust == .synchronised)
        #expect(clock.read(sample(1_104_000, sinceBoot: 104_000)).trust == .holdover(ageSeconds: 1))
    }

    @Test("After a boot only a battery-backed clock has counted the time in between", arguments: [true, false])
    func afterBoot(battery: Bool) {
        let last = ClockMemory.Synchronisation(realtime: Self.day, sinceBoot: 7, boot: "before")
        var clock = clock(last: last, battery: battery)
        #expect(clock.read(sample(2 * Self.day)).trust == (battery ? .holdover(ageSeconds: 86400) : .untrusted))
        #expect(clock.read(sample(Self.day - 1)).doubt == .notSynchronised)
        #expect(clock.read(sample(40 * Self.day)).doubt
                == (battery ? .holdoverOver(ageSeconds: 39 * 86400) : .notSynchronised))
    }

    @Test("No reading is below the floor, and a clock below it is not believed")
    func floor() {
        var clock = clock(floor: 10 * Self.day)
        #expect(clock.read(sample(3 * Self.day, synchronised: true)).plain 
                == WallTime(milliseconds: 10 * Self.day, doubt: .behindFloor(machine: 3 * Self.day, floor: 10 * Self.day)))
        // A few seconds are the skew of whoever set the floor.
        #expect(clock.read(sample(10 * Self.day - 60_000, synchronised: true)).plain
                == WallTime(milliseconds: 10 * Self.day, trust: .synchronised))
        #expect(clock.read(sample(10 * Self.day - 60_001, synchronised: true)).trust.word == "untrusted")
    }

    @Test("A clock below the floor does not count as synchronised later")
    func belowFloorLeavesNoMark() {
        var clock = clock(floor: 10 * Self.day)
        _ = clock.read(sample(3 * Self.day, synchronised: true))
        #expect(clock.read(sample(10 * Self.day)).doubt == .notSynchronised)
    }

    @Test("A synchronised clock moves the floor, any other one does not")
    func synchronisedTimeIsTheFloor() {
        var clock = clock(floor: Self.day)
        _ = clock.read(sample(20 * Self.day, synchronised: true))
        #expect(clock.memory.floor == 20 * Self.day)
        _ = clock.read(sample(30 * Self.day))
        #expect(clock.memory.floor == 20 * Self.day)
        var vouched = self.clock(floor: Self.day, policy: ClockPolicy(source: .installer))
        _ = vouched.read(sample(20 * Self.day))
        #expect(vouched.memory.floor == 20 * Self.day)
        // A clock below its floor is not believed, whoever vouches for it.
        _ = vouched.read(sample(2 * Self.day, synchronised: true))
        #expect(vouched.memory.floor == 20 * Self.day)
    }

    @Test("The floor moves up only")
    func floorMovesUp() {
        var clock = clock(floor: 100)
        clock.raiseFloor(to: 200)
        #expect(clock.memory.floor == 200)
        clock.raiseFloor(to: 150)
        #expect(clock.memory.floor == 200)
    }

    @Test("A reset forgets what lies ahead and keeps a synchronisation that does not")
    func reset() throws {
        let wrong = 3650 * Self.day
        var clock = clock(policy: ClockPolicy(holdoverLimitSeconds: 100))
        _ = clock.read(sample(20 * Self.day, sinceBoot: 1000, synchronised: true))
        clock.raiseFloor(to: wrong)
        #expect(clock.read(sample(20 * Self.day + 5000, sinceBoot: 6000)).doubt?.code == "clock-behind-floor")
        let reset = try clock.resetFloor(sample(20 * Self.day + 5000, sinceBoot: 6000), built: Self.day)
        #expect(reset.before == wrong && reset.after == 20 * Self.day)
        #expect(reset.now.plain == WallTime(milliseconds: 20 * Self.day + 5000, trust: .holdover(ageSeconds: 5)))
    }

    @Test("A reset forgets a synchronisation that was ahead itself, down to the build date")
    func resetOfAWrongSynchronisation() throws {
        var clock = clock()
        _ = clock.read(sample(3650 * Self.day, synchronised: true))
        let reset = try clock.resetFloor(sample(20 * Self.day), built: Self.day)
        #expect(reset.after == Self.day)
        #expect(reset.now.plain == WallTime(milliseconds: 20 * Self.day, doubt: .notSynchronised))
        // The right time, synchronised, is the new floor at once.
        _ = clock.read(sample(20 * Self.day, synchronised: true))
        #expect(clock.memory.floor == 20 * Self.day)
    }

    @Test("A clock that is surely wrong resets nothing")
    func resetByAWrongClock() {
        var clock = clock(floor: 20 * Self.day)
        #expect(throws: ClockNotSet(machine: Self.day - 1)) { try clock.resetFloor(sample(Self.day - 1), built: Self.day) }
        #expect(clock.memory.floor == 20 * Self.day)
    }

    @Test("Each doubt has a code of its own and a remedy")
    func doubts() {
        let doubts: [ClockDoubt] = [.behindFloor(machine: 0, floor: Self.day), .notSynchronised, .holdoverOver(ageSeconds: 31 * 86400)]
        #expect(Set(doubts.map(\.code)).count == doubts.count)
        #expect(doubts.allSatisfy { $0.message.contains("timedatectl") || $0.message.contains("tapstile clock reset-floor") })
        #expect(doubts[2].message.contains("31 days"))
    }

    @Test("An installer may vouch for the clock, though not below the floor")
    func installer() {
        var clock = clock(floor: Self.day, policy: ClockPolicy(source: .installer))
        #expect(clock.read(sample(2 * Self.day)).trust == .synchronised)
        var next = self.clock(floor: 2 * Self.day, policy: ClockPolicy(source: .installer))
        #expect(next.read(sample(0)).doubt == .behindFloor(machine: 0, floor: 2 * Self.day))
    }

    @Test("Times are written as RFC 3339 has them", arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (1_709_251_199_999, "2024-02-29T23:59:59.999Z"), (1_735_689_600_001, "2025-01-01T00:00:00.001Z"),
        (4_107_542_400_000, "2100-03-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z")
    ] as [(Int64, String)])
    func text(milliseconds: Int64, text: String) {
        #expect(UTCText.make(milliseconds: milliseconds) == text)
    }

    @Test("Seconds round towards the past")
    func seconds() {
        #expect(WallTime(milliseconds: 1999, trust: .synchronised).seconds == 1)
        #expect(WallTime(milliseconds: -1, trust: .synchronised).seconds == -1)
    }
}
