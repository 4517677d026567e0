@testable import Service
import Testing

/// A date that others sign: what it may do to a gate's clock, and who takes it back.
@Suite struct SignedFloorTests {
    typealias Machine = ClockJumpTests.Machine
    static let day = ClockJumpTests.day
    /// The year 9998, about.
    static let far: Int64 = 253_370_764_800_000

    private static func note(_ date: Int64, _ version: Int64, root: Int64 = 1, rootDate: Int64? = nil, _ machine: inout Machine) {
        machine.clock.note(SignedFloor(.targets, version: version, root: root, date: date), rootDate: rootDate, machine.sample)
    }

    /// Nobody vouches for its clock, which is right.
    private static func unsure() -> Machine {
        var machine = Machine()
        machine.isSynchronised = false
        return machine
    }

    @Test func aThiefOfTargetsMovesNoClockThatIsVouchedFor() {
        var machine = Machine()
        let before = machine.read()
        Self.note(Self.far, 7, &machine)
        #expect(machine.read() == before)
        machine.isSynchronised = false
        machine.pass(Self.day)
        Self.note(Self.far, 8, &machine)
        #expect(machine.read().milliseconds == machine.truth && machine.read().doubt == nil, "in holdover, too")
        // Nor after the next start, while the time is not known yet.
        var next = Machine(at: machine.truth)
        next.clock = WallClock(memory: machine.clock.memory, policy: ClockPolicy(), boot: "later", hasBattery: false)
        next.isSynchronised = false
        #expect(next.read().milliseconds == next.truth)
    }

    @Test func aDateRaisesTheFloorOfAClockThatNobodyVouchesFor() {
        var machine = Self.unsure()
        Self.note(machine.truth + Self.day, 7, &machine)
        #expect(machine.read().milliseconds == machine.truth + Self.day)
        Self.note(machine.truth + 2 * Self.day, 8, &machine)
        #expect(machine.read().milliseconds == machine.truth + 2 * Self.day)
    }

    @Test func aNewerVersionOfTheRoleTakesItBack() {
        var machine = Self.unsure()
        Self.note(Self.far, 7, &machine)
        #expect(machine.read().milliseconds == Self.far)
        Self.note(machine.truth - Self.day, 7, &machine)
        #expect(machine.read().milliseconds == Self.far, "the same version says nothing new")
        Self.note(machine.truth - Self.day, 8, &machine)
        #expect(machine.read().milliseconds == machine.truth)
        #expect(machine.clock.memory.floor == machine.clock.memory.signed?.date)
    }

    @Test func aVouchedForClockBehindTheFloorIsRightAgainOnceItIsTakenBack() {
        var machine = Self.unsure()
        Self.note(Self.far, 7, &machine)
        machine.isSynchronised = true
        #expect(machine.read().doubt?.code == "clock-behind-floor")
        Self.note(machine.truth, 8, &machine)
        #expect(machine.read().plain == WallTime(milliseconds: machine.truth, trust: .synchronised))
    }

    /// Whoever has the keys of targets keeps them; root's holders say what time it is.
    @Test func aNewerRootTakesItBackAndTheSameFileRaisesNothingAgain() {
        var machine = Self.unsure()
        Self.note(Self.far, 7, &machine)
        Self.note(Self.far, 7, root: 2, rootDate: machine.truth - Self.day, &machine)
        #expect(machine.read().milliseconds == machine.truth)
        Self.note(Self.far, 7, root: 2, rootDate: machine.truth - Self.day, &machine)
        #expect(machine.read().milliseconds == machine.truth)
        #expect(machine.clock.memory.floor == machine.truth - Self.day)
    }

    /// Root has replaced the keys of targets: versions begin anew.
    @Test func underANewerRootALowerVersionCounts() {
        var machine = Self.unsure()
        Self.note(Self.far, .max, &machine)
        Self.note(machine.truth - Self.day, 3, root: 2, rootDate: machine.truth - 2 * Self.day, &machine)
        #expect(machine.read().milliseconds == machine.truth)
        #expect(machine.clock.memory.signed == SignedFloor(.targets, version: 3, root: 2, date: machine.truth - Self.day))
    }

    @Test func noDateLowersWhatTheMachineHasSeenItself() {
        var machine = Machine()
        machine.pass(Self.day)
        _ = machine.read()
        machine.isSynchronised = false
        let seen = machine.clock.memory.seen
        Self.note(Self.far, 7, &machine)
        Self.note(0, 8, &machine)
        #expect(machine.clock.memory.floor == seen)
    }

    @Test func theSameFileRaisesNothingAfterAResetByHand() throws {
        var machine = Self.unsure()
        Self.note(Self.far, 7, &machine)
        _ = try machine.clock.resetFloor(machine.sample, built: machine.truth - 9 * Self.day)
        Self.note(Self.far, 7, &machine)
        #expect(machine.read().milliseconds == machine.truth)
    }

    /// A run judges by what the machine knows itself: by the thief's date all that takes it back would have expired.
    @Test func theMachinesOwnTimeHasNoSignedDateInIt() {
        var machine = Self.unsure()
        Self.note(Self.far, 7, &machine)
        #expect(machine.clock.own(machine.sample) == machine.truth)
        machine.ahead = -9 * Self.day
        #expect(machine.clock.own(machine.sample) == machine.clock.memory.seen)
    }

    @Test func itIsKeptWithTheRestOfTheMemory() {
        let signed = SignedFloor(.publication, version: .max, root: 3, date: Self.far)
        let memory = ClockMemory(floor: 5, signed: signed)
        #expect(ClockFile.parse(ClockFile.text(memory)) == memory)
        let older = ClockMemory(floor: 7, signed: SignedFloor(.publication, version: 2, root: 2, date: 9))
        #expect(older.merged(with: memory) == ClockMemory(floor: 7, signed: signed))
        #expect(memory.merged(with: ClockMemory(floor: 1)).signed == signed)
    }
}
