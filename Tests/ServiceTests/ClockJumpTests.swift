@testable import Service
import Testing

extension WallTime {
    /// The time and its trust alone.
    var plain: WallTime { doubt.map { WallTime(milliseconds: milliseconds, doubt: $0) } ?? WallTime(milliseconds: milliseconds, trust: trust) }
}

/// Whoever spoofs a time server or sets the machine's clock neither opens nor closes a lane by it.
@Suite struct ClockJumpTests {
    static let second: Int64 = 1000
    static let hour: Int64 = 3600 * second
    static let day: Int64 = 24 * hour
    /// 03:00 on some day.
    static let night: Int64 = 20_000 * day + 3 * hour

    /// A machine: what the time truly is, what its clock says, and how wrong its oscillator runs.
    struct Machine {
        var clock: WallClock
        /// Milliseconds by which the machine's clock is ahead of the true time.
        var ahead: Int64 = 0
        var isSynchronised = true
        var raw: Int64 = 5000
        var truth: Int64

        init(at truth: Int64 = night, policy: ClockPolicy = ClockPolicy()) {
            self.truth = truth
            clock = WallClock(memory: ClockMemory(floor: truth - day), policy: policy, boot: "now", hasBattery: false)
        }

        var sample: ClockSample {
            ClockSample(realtime: truth + ahead, sinceBoot: raw, raw: raw, kernelSynchronised: isSynchronised)
        }

        /// So many milliseconds go by; the oscillator counts so many parts per million more or fewer.
        mutating func pass(_ milliseconds: Int64, ppm: Int64 = 0) {
            truth += milliseconds
            raw += milliseconds + milliseconds * ppm / 1_000_000
        }

        mutating func read() -> WallTime { clock.read(sample) }
        mutating func sign(_ date: Int64, by signer: SignedDate.Signer = .timestamp) { clock.saw(date, signedBy: signer, sample) }
    }

    /// Half an hour of service, confirmed.
    static func inService(policy: ClockPolicy = ClockPolicy()) throws -> Machine {
        var machine = Machine(policy: policy)
        _ = machine.read()
        _ = try machine.clock.confirm(machine.sample, byRoot: false)
        for _ in 0..<30 {
            machine.pass(60 * second)
            #expect(machine.read().trust == .synchronised)
        }
        return machine
    }

    @Test("A clock that jumps from 03:30 to 09:30, or back, is not taken", arguments: [6 * hour, -6 * hour, 25 * second, -25 * second])
    func aSpoofedTimeServerMovesNothing(jump: Int64) throws {
        var machine = try Self.inService()
        let before = machine.clock.memory
        machine.ahead = jump
        for minute in 1...60 as ClosedRange<Int64> {
            machine.pass(60 * Self.second)
            let time = machine.read()
            #expect(time.milliseconds == machine.truth)
            #expect(time.trust == .holdover(ageSeconds: minute * 60))
            #expect(time.jump == ClockJump(machine: machine.truth + jump, estimate: machine.truth))
            #expect(time.isConfirmed)
        }
        var after = machine.clock.memory
        #expect((before.seen...machine.truth).contains(after.seen), "the floor goes on, by the estimate")
        after.seen = before.seen
        #expect(after == before, "a reading that is not taken leaves no mark")
        machine.ahead = 0
        machine.pass(Self.second)
        #expect(machine.read() == WallTime(milliseconds: machine.truth, trust: .synchronised, basis: .person))
    }

    @Test func aThousandReadingsAtTheEdgeGoNoFurtherThanTheOscillator() throws {
        var machine = try Self.inService()
        let began = machine.raw
        for _ in 0..<1000 {
            machine.pass(60 * Self.second)
            let bound = ClockEstimate.tolerance + (machine.raw - began) * ClockEstimate.driftPPM / 1_000_000
            // As far ahead as it may be, and then more.
            machine.ahead = bound - 1
            #expect(machine.read().jump == nil)
            machine.ahead = bound + Self.second
            #expect(machine.read().jump != nil)
        }
        #expect(machine.ahead < 25 * Self.second, "sixteen hours")
    }

    @Test func aClockThatIsSlewedByEightPercentIsSeen() throws {
        var machine = try Self.inService()
        for _ in 0..<60 {
            machine.pass(Self.second)
            machine.ahead += 80
            #expect(machine.read().jump == nil)
        }
        for _ in 0..<300 {
            machine.pass(Self.second)
            machine.ahead += 80
            _ = machine.read()
        }
        #expect(machine.read().jump != nil)
        #expect(machine.read().milliseconds - machine.truth <= ClockEstimate.tolerance + Self.second)
    }

    /// The clock stands still with the oscillator for six weeks, and is set right then.
    @Test(arguments: [-180, -100, -20, 0, 20, 100, 180] as [Int64])
    func anHonestCorrectionAfterSixWeeksIsTaken(ppm: Int64) throws {
        var machine = try Self.inService(policy: ClockPolicy(holdoverLimitSeconds: 60 * 86400))
        machine.isSynchronised = false
        for _ in 0..<(42 * 24) {
            machine.pass(Self.hour, ppm: ppm)
            machine.ahead += Self.hour * ppm / 1_000_000
            #expect(machine.read().jump == nil)
        }
        let drifted: Int64 = ppm * 42 * 24 * 3600 / 1000
        #expect(machine.ahead == drifted)
        machine.isSynchronised = true
        machine.ahead = 0
        #expect(machine.read() == WallTime(milliseconds: machine.truth, trust: .synchronised, basis: .person))
    }

    @Test func aJumpThatLastsIsHoldoverAndEndsAsHoldoverDoes() throws {
        var machine = try Self.inService(policy: ClockPolicy(holdoverLimitSeconds: 100))
        machine.ahead = Self.hour
        machine.pass(101 * Self.second)
        #expect(machine.read().doubt == .holdoverOver(ageSeconds: 101))
        #expect(machine.read().jump != nil)
    }

    // After a boot ----------------------------------------------------------------------------------

    @Test func theFirstTimeAfterABootServesAndIsNotConfirmed() throws {
        var machine = Machine()
        #expect(machine.read() == WallTime(milliseconds: machine.truth, trust: .synchronised, basis: .kernel, isConfirmed: false))
        machine.pass(Self.hour)
        #expect(!machine.read().isConfirmed)
        // It is the first that counts, not the last that somebody says.
        machine.ahead = Self.hour
        #expect(machine.read().jump != nil)
    }

    @Test func aSignedDateConfirmsTheTimeThatAgreesWithIt() {
        var machine = Machine()
        _ = machine.read()
        machine.sign(machine.truth - Self.hour / 2)
        #expect(machine.read() == WallTime(milliseconds: machine.truth, trust: .synchronised, basis: .signed))
    }

    @Test("A signed date from another time confirms nothing", arguments: [
        (2 * hour, .timestamp), (-2 * 60_000, .timestamp), (2 * day, .publication), (-hour, .publication)
    ] as [(Int64, SignedDate.Signer)])
    func anotherTimeIsNotConfirmed(old: Int64, signer: SignedDate.Signer) {
        var machine = Machine()
        _ = machine.read()
        machine.sign(machine.truth - old, by: signer)
        #expect(!machine.read().isConfirmed)
    }

    /// Otherwise a date that is asked for again and again would grow fresh.
    @Test func aDateCountsFromWhenItWasFirstSeen() {
        var machine = Machine()
        machine.isSynchronised = false
        let date = machine.truth
        machine.sign(date)
        machine.pass(2 * Self.hour)
        machine.sign(date)
        machine.isSynchronised = true
        #expect(machine.read().isConfirmed, "two hours after a date that was fresh two hours ago")
        var late = Machine()
        late.isSynchronised = false
        late.sign(date)
        late.pass(2 * Self.hour)
        late.sign(date)
        late.isSynchronised = true
        late.ahead = -2 * Self.hour
        #expect(!late.read().isConfirmed)
    }

    @Test func aWrongFirstTimeGivesWayToOneThatASignedDateShows() {
        var machine = Machine()
        machine.ahead = 6 * Self.hour
        #expect(machine.read().milliseconds == machine.truth + 6 * Self.hour)
        var back = machine
        back.ahead = 0
        #expect(back.read().jump != nil)
        // As `clock reset-floor` does: the floor has seen it.
        back.clock.memory.seen = 0
        back.sign(back.truth - 60 * Self.second)
        #expect(back.read() == WallTime(milliseconds: back.truth, trust: .synchronised, basis: .signed))
    }

    // What is signed --------------------------------------------------------------------------------

    @Test func aThiefOfTheTimestampKeyAloneMovesNothing() throws {
        var machine = try Self.inService()
        let floor = machine.clock.memory.floor
        machine.sign(machine.truth + 7000 * Self.day)
        #expect(machine.read() == WallTime(milliseconds: machine.truth, trust: .synchronised, basis: .person))
        #expect(machine.clock.memory.floor == floor)
    }

    @Test func aLaterTimeIsTakenOnceSomethingSignedShowsIt() throws {
        var machine = try Self.inService()
        // The machine stood still for three hours, and nothing counted them.
        machine.truth += 3 * Self.hour
        #expect(machine.read().jump != nil)
        machine.sign(machine.truth - 10 * 60 * Self.second)
        #expect(machine.read() == WallTime(milliseconds: machine.truth, trust: .synchronised, basis: .signed))
    }

    /// An hour early is enough for a lane that opens at nine.
    @Test func aDateThatFitsTheEstimateSpeaksForNoJump() throws {
        var machine = try Self.inService()
        machine.sign(machine.truth)
        machine.ahead = 50 * 60 * Self.second
        #expect(machine.read().jump != nil)
        #expect(machine.read().milliseconds == machine.truth)
    }

    @Test func aLateDateAndAJumpThatDisagreeMoveNothing() throws {
        var machine = try Self.inService()
        machine.sign(machine.truth + Self.day)
        machine.ahead = 3 * Self.day
        #expect(machine.read().milliseconds == machine.truth)
        machine.ahead = Self.hour
        #expect(machine.read().milliseconds == machine.truth)
    }

    // What people say -------------------------------------------------------------------------------

    @Test func onlyRootMayConfirmAJump() throws {
        var machine = try Self.inService()
        machine.ahead = 6 * Self.hour
        let jump = ClockJump(machine: machine.truth + 6 * Self.hour, estimate: machine.truth)
        #expect(throws: ClockNotConfirmed.jumped(jump)) { try machine.clock.confirm(machine.sample, byRoot: false) }
        #expect(try machine.clock.confirm(machine.sample, byRoot: true).plain == WallTime(milliseconds: jump.machine, trust: .synchronised))
    }

    @Test func onlyRootMayConfirmAClockThatNobodyVouchesFor() throws {
        var machine = Machine()
        machine.isSynchronised = false
        #expect(throws: ClockNotConfirmed.notVouchedFor) { try machine.clock.confirm(machine.sample, byRoot: false) }
        let time = try machine.clock.confirm(machine.sample, byRoot: true)
        #expect(time == WallTime(milliseconds: machine.truth, trust: .holdover(ageSeconds: 0), basis: .person))
        #expect(machine.clock.memory.floor == machine.truth)
    }

    @Test func nobodyConfirmsATimeBeforeTheFloor() {
        var machine = Machine()
        machine.ahead = -2 * Self.day
        for isRoot in [true, false] {
            #expect(throws: ClockNotConfirmed.behindFloor(.behindFloor(machine: machine.truth - 2 * Self.day, floor: machine.truth - Self.day))) {
                try machine.clock.confirm(machine.sample, byRoot: isRoot)
            }
        }
    }

    @Test func aResetOfTheFloorForgetsAnEstimateThatTheMachineContradicts() throws {
        var machine = Machine()
        machine.ahead = 3650 * Self.day
        _ = machine.read()
        machine.ahead = 0
        #expect(machine.read().jump != nil)
        #expect(try machine.clock.resetFloor(machine.sample, built: Self.day).now.plain == WallTime(milliseconds: machine.truth, trust: .synchronised))
    }

    // The installer ---------------------------------------------------------------------------------

    @Test func theInstallersClockIsPutRightOnce() throws {
        var machine = Machine(policy: ClockPolicy(source: .installer))
        machine.isSynchronised = false
        _ = machine.read()
        // A receiver has found its satellites.
        machine.ahead = 6 * Self.hour
        #expect(machine.read() == WallTime(milliseconds: machine.truth + machine.ahead, trust: .synchronised, basis: .corrected, isConfirmed: false))
        // Whoever plays satellites comes later.
        machine.ahead = 12 * Self.hour
        #expect(machine.read().jump != nil)
        _ = try machine.clock.confirm(machine.sample, byRoot: true)
        #expect(machine.read().basis == .person)
    }

    @Test func anInstallerMayBelieveTheFirstTimeAtOnceAndNoJump() {
        var machine = Machine(policy: ClockPolicy(afterBoot: .believe))
        #expect(machine.read().isConfirmed)
        machine.ahead = 6 * Self.hour
        #expect(machine.read().jump != nil)
        var vouched = Machine(policy: ClockPolicy(source: .installer, afterBoot: .believe))
        #expect(vouched.read().isConfirmed)
        vouched.ahead = 6 * Self.hour
        #expect(vouched.read().jump != nil)
    }

    // Restarts --------------------------------------------------------------------------------------

    /// The wall clock is moved a day ahead, a token of a minute expires, the power is cut, and the time server says the minute in which it was valid.
    @Test func whatExpiredDuringAJumpIsExpiredAfterAPowerCut() throws {
        var machine = try Self.inService()
        let valid = machine.truth
        machine.ahead = Self.day
        for _ in 0..<10 {
            machine.pass(60 * Self.second)
            #expect(machine.read().jump != nil)
        }
        let kept = try #require(ClockFile.parse(ClockFile.text(machine.clock.memory)))
        machine.clock = WallClock(memory: kept, policy: ClockPolicy(), boot: "next", hasBattery: false)
        (machine.raw, machine.ahead) = (5000, valid - machine.truth)
        let time = machine.read()
        #expect(time.doubt != nil && time.milliseconds > valid + 500 * Self.second)
    }

    /// The power is cut at five, and comes back at night with a time server that says five and a repository as it was then.
    @Test func aDateThatAnEarlierBootHasSeenConfirmsNoReplayedEvening() throws {
        var machine = Machine()
        machine.sign(machine.truth - 300 * Self.second)
        #expect(machine.read().isConfirmed)
        let evening = machine.truth, signed = evening - 300 * Self.second
        var kept = try #require(ClockFile.parse(ClockFile.text(machine.clock.memory)))
        #expect(kept.newestDate?.date.date == signed)
        machine.clock = WallClock(memory: kept, policy: ClockPolicy(), boot: "now", hasBattery: false)
        #expect(machine.read().isConfirmed, "a restart of the program is none of the machine")
        machine.pass(10 * Self.hour)
        machine.clock = WallClock(memory: kept, policy: ClockPolicy(), boot: "next", hasBattery: false)
        (machine.raw, machine.ahead) = (5000, evening + Self.second - machine.truth)
        machine.sign(signed)
        #expect(machine.read().trust == .synchronised && !machine.read().isConfirmed)
        machine.sign(signed + 60 * Self.second)
        #expect(machine.read().isConfirmed, "one that nobody has kept")
        // A thief's date is forgotten once a person says what the time is.
        kept.newestDate?.date = SignedDate(signer: .timestamp, date: machine.truth + 365 * Self.day, seenAt: 0)
        machine.clock = WallClock(memory: kept, policy: ClockPolicy(), boot: "now", hasBattery: false)
        _ = try machine.clock.confirm(machine.sample, byRoot: true)
        #expect(machine.clock.memory.newestDate == nil)
    }

    @Test func aRestartOfTheProgramForgetsNothingOfTheBoot() throws {
        let machine = try Self.inService()
        let kept = try #require(ClockFile.parse(ClockFile.text(machine.clock.memory)))
        var again = machine
        again.clock = WallClock(memory: kept, policy: ClockPolicy(), boot: "now", hasBattery: false)
        again.pass(60 * Self.second)
        #expect(again.read() == WallTime(milliseconds: again.truth, trust: .synchronised, basis: .person))
        again.ahead = Self.hour
        #expect(again.read().jump != nil)
    }

    @Test func anotherBootBeginsAnew() throws {
        var machine = try Self.inService()
        machine.clock = WallClock(memory: machine.clock.memory, policy: ClockPolicy(), boot: "next", hasBattery: false)
        machine.raw = 5000
        machine.truth += Self.day
        #expect(machine.read() == WallTime(milliseconds: machine.truth, trust: .synchronised, basis: .kernel, isConfirmed: false))
    }

    @Test func anEstimateThatCannotBeIsNotReadBack() {
        #expect(ClockEstimate(.person, believed: .max, believedAt: 0, earliest: 0, latest: 0, at: 0) == nil)
        #expect(ClockEstimate(.person, believed: 0, believedAt: 0, earliest: 1, latest: 0, at: 0) == nil)
    }
}
