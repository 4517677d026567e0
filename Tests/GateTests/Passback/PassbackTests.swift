import Credentials
import Testing
import Vocabulary

@testable import Gate

/// Who may go where twice (V5), rule by rule.
@Suite("Anti-passback") struct PassbackTests {
    static let ada = PersonDigest(subject: "ada")
    static let ben = PersonDigest(subject: "ben")
    static let intoHall = Crossing(.in, zone: "hall", outer: nil)
    static let outOfHall = Crossing(.out, zone: "hall", outer: nil)
    static let minute: Int64 = 60_000
    static let refused = AccessJudgement.refused(.antiPassback, by: .passback)
    static let full = AccessJudgement.refused(.zoneFull, by: .capacity)

    var passback = Passback()

    /// One tap; a granted one passes.
    mutating func tap(_ person: PersonDigest = ada, _ crossing: Crossing = intoHall, _ mode: PassbackMode = .hard,
                      capacity: Int? = nil, exempt: Bool = false, at now: Int64 = 0) -> AccessJudgement {
        let admission = ask(person, crossing, mode, capacity: capacity, exempt: exempt, at: now)
        if case .allowed = admission.judgement { _ = pass(person, crossing, admission.ticket, at: now) }
        return admission.judgement
    }

    mutating func ask(_ person: PersonDigest = ada, _ crossing: Crossing = intoHall, _ mode: PassbackMode = .hard,
                      capacity: Int? = nil, exempt: Bool = false, wayOut: Bool = false, at now: Int64 = 0) -> Admission {
        passback.admit(person, into: crossing.to, isWayOut: wayOut, policy: ZonePolicy(mode: mode, capacity: capacity),
                       isExempt: exempt, at: now)
    }

    mutating func pass(_ person: PersonDigest = ada, _ crossing: Crossing = intoHall, _ ticket: UInt64 = 0, at now: Int64 = 0) -> [PassbackChange] {
        passback.passed(person, through: crossing, ticket: ticket, at: now) { _ in true }
    }

    @Test mutating func whoIsInsideDoesNotComeInAgain() {
        #expect(tap() == .allowed)
        #expect(tap() == Self.refused)
        #expect(tap(Self.ben) == .allowed)
        #expect(tap(Self.ada, Self.outOfHall) == .allowed)
        #expect(tap() == .allowed)
    }

    @Test mutating func aWayOutIsNeverRefused() {
        #expect(tap(Self.ada, Self.outOfHall) == .allowed)
        #expect(tap(Self.ada, Self.outOfHall) == .allowed)
    }

    @Test mutating func whatWasNotPassedLeavesNoTrace() {
        let admission = ask()
        #expect(admission.judgement == .allowed)
        passback.withdraw(admission.ticket)
        #expect(passback.pendingCount == 0)
        #expect(tap() == .allowed)
    }

    @Test mutating func twoPhonesOfOnePersonAreNotLetInBeforeEitherPasses() {
        let first = ask()
        #expect(ask().judgement == Self.refused)
        #expect(ask(Self.ada, Self.intoHall, .timed(milliseconds: 1)).judgement == Self.refused)
        let second = ask(Self.ada, Self.intoHall, .soft)
        #expect(second.judgement == .allowed(notes: [.antiPassback]))
        #expect(passback.pendingCount == 2)
        passback.withdraw(second.ticket)
        passback.withdraw(second.ticket)
        #expect(ask().judgement == Self.refused, "only its own grant was withdrawn")
        passback.withdraw(first.ticket)
        #expect(ask().judgement == .allowed)
    }

    /// Whoever only asks keeps nobody out, and takes nobody's place.
    @Test mutating func foreseeingAwaitsNobody() {
        func foresee(_ person: PersonDigest, reset: Int64? = nil) -> AccessJudgement {
            passback.foresee(person, into: "hall", isWayOut: false, policy: ZonePolicy(mode: .hard, capacity: 1), isExempt: false, reset: reset, at: 10)
        }
        for _ in 0..<3 { #expect(foresee(Self.ada) == .allowed) }
        #expect(passback.pendingCount == 0)
        #expect(tap() == .allowed)
        #expect(foresee(Self.ada) == Self.refused && foresee(Self.ben) == Self.full)
        #expect(foresee(Self.ada, reset: 5) == .allowed, "the daily reset that is due counts")
        #expect(foresee(Self.ada) == Self.refused, "and was not made by asking")
    }

    @Test mutating func softLetsThroughAndSaysSo() {
        #expect(tap(.soft) == .allowed)
        #expect(tap(.soft) == .allowed(notes: [.antiPassback]))
    }

    mutating func tap(_ mode: PassbackMode, at now: Int64 = 0) -> AccessJudgement { tap(Self.ada, Self.intoHall, mode, at: now) }

    @Test mutating func offKnowsNothing() {
        #expect(tap(.off) == .allowed)
        #expect(tap(.off) == .allowed)
    }

    @Test mutating func timedCountsFromTheEntry() {
        let mode = PassbackMode.timed(milliseconds: 10 * Self.minute)
        #expect(tap(mode, at: 0) == .allowed)
        #expect(tap(mode, at: 10 * Self.minute - 1) == Self.refused, "and the refusal extends nothing")
        #expect(tap(mode, at: 10 * Self.minute) == .allowed)
        #expect(tap(mode, at: 20 * Self.minute - 1) == Self.refused)
        #expect(tap(Self.ada, Self.outOfHall, at: 20 * Self.minute - 1) == .allowed)
        #expect(tap(mode, at: 20 * Self.minute - 1) == .allowed, "whoever has left need not wait")
    }

    @Test mutating func aClockSetBackMakesNobodyWaitLonger() {
        let mode = PassbackMode.timed(milliseconds: 10 * Self.minute)
        #expect(tap(mode, at: 1_000_000_000) == .allowed)
        #expect(tap(mode, at: 0) == Self.refused)
        #expect(tap(mode, at: 10 * Self.minute) == .allowed)
    }

    @Test mutating func exemptPeopleAreNotBoundAndStillTakeAPlace() {
        #expect(tap(Self.ada, Self.intoHall, .hard, exempt: true) == .allowed)
        #expect(tap(Self.ada, Self.intoHall, .hard, exempt: true) == .allowed)
        #expect(passback.load(of: "hall").present == 1)
        #expect(tap(Self.ben, Self.intoHall, .hard, capacity: 1) == Self.full)
    }

    @Test mutating func aFullZoneTakesNobodyMore() {
        let coming = ask(Self.ada, Self.intoHall, .off, capacity: 1)
        #expect(coming.judgement == .allowed)
        #expect(tap(Self.ben, Self.intoHall, .off, capacity: 1) == Self.full, "who is about to come in has the place")
        passback.withdraw(coming.ticket)
        #expect(tap(Self.ben, Self.intoHall, .off, capacity: 1) == .allowed)
        #expect(tap(Self.ada, Self.intoHall, .off, capacity: 1) == Self.full)
        #expect(tap(Self.ben, Self.intoHall, .soft, capacity: 1) == .allowed(notes: [.antiPassback]), "takes no second place")
        #expect(tap(Self.ben, Self.outOfHall) == .allowed)
        #expect(tap(Self.ada, Self.intoHall, .off, capacity: 1) == .allowed)
    }

    @Test mutating func beingInsideIsToldBeforeTheZoneIsFull() {
        #expect(tap(Self.ada, Self.intoHall, .hard, capacity: 1) == .allowed)
        #expect(tap(Self.ada, Self.intoHall, .hard, capacity: 1) == Self.refused)
    }

    @Test mutating func aLaneBetweenTwoZonesLeavesTheOne() {
        let intoLab = Crossing(.in, zone: "lab", outer: "hall")
        #expect(tap() == .allowed)
        #expect(tap(Self.ada, intoLab) == .allowed)
        #expect(passback.places(of: Self.ada).map(\.zone) == ["lab"])
        #expect(tap(Self.ada, intoLab) == Self.refused)
        #expect(tap(Self.ada, Crossing(.out, zone: "lab", outer: "hall")) == .allowed)
        #expect(passback.places(of: Self.ada).map(\.zone) == ["hall"])
    }

    /// Ada came into the laboratory behind somebody, and the hall is full: she gets out all the same, and takes a place there.
    @Test mutating func nobodyIsLockedInAnInnerZone() {
        let out = Crossing(.out, zone: "lab", outer: "hall")
        #expect(tap(Self.ada, Self.intoHall, .hard, capacity: 1) == .allowed)
        let ada = ask(Self.ada, out, .hard, capacity: 1, wayOut: true)
        #expect(ada.judgement == .allowed && ada.ticket != 0)
        let ben = ask(Self.ben, out, .hard, capacity: 1, wayOut: true)
        #expect(ben.judgement == .allowed)
        _ = pass(Self.ben, out, ben.ticket)
        #expect(passback.load(of: "hall").present == 2)
        #expect(ask(Self.ben, Self.intoHall, .hard).judgement == Self.refused)
    }

    @Test mutating func aResetForgetsThoseFromBefore() {
        #expect(tap(Self.ada, at: 10) == .allowed)
        #expect(tap(Self.ben, at: 20) == .allowed)
        #expect(passback.reset("hall", before: 20, at: 20) == [.emptied(zone: "hall", before: 20)])
        #expect(passback.reset("hall", before: 20, at: 20) == [])
        #expect(tap(Self.ada, at: 30) == .allowed)
        #expect(tap(Self.ben, at: 30) == Self.refused)
        #expect(passback.forget(Self.ben, in: "lab") == [])
        #expect(passback.forget(Self.ben, in: nil) == [.left(Self.ben, zone: "hall")])
        #expect(tap(Self.ben, at: 30) == .allowed)
    }

    mutating func tap(_ person: PersonDigest, at now: Int64) -> AccessJudgement { tap(person, Self.intoHall, .hard, at: now) }

    @Test mutating func nothingIsHeldAgainstThoseWhoMayHaveLeftUnseen() {
        #expect(tap(Self.ada, at: 10) == .allowed)
        #expect(tap(Self.ben, at: 10) == .allowed)
        #expect(passback.doubt("hall") == [.doubted(zone: "hall")])
        #expect(passback.doubt("hall") == [], "that concerns nobody more")
        #expect(passback.load(of: "hall") == (0, 2))
        #expect(tap(Self.ada, at: 30) == .allowed)
        #expect(tap(Self.ada, at: 31) == Self.refused)
        #expect(passback.people(in: "hall").map(\.isSure) == [false, true])
        #expect(pass(Self.ben, Self.outOfHall) == [.left(Self.ben, zone: "hall")])
    }

    /// A clock that was a year ahead when a lane stood open, and was fixed since.
    @Test mutating func aClockThatWasAheadLocksNobodyOut() {
        let day: Int64 = 86_400_000, ahead = 366 * day
        #expect(tap(Self.ada, at: ahead) == .allowed)
        #expect(passback.doubt("hall") == [.doubted(zone: "hall")])
        #expect(passback.reset("hall", before: ahead, at: ahead) == [])
        #expect(tap(Self.ben, at: ahead) == .allowed)
        #expect(passback.reset("hall", before: 10 * day, at: 10 * day + 5).contains(.left(Self.ben, zone: "hall")))
        #expect(tap(Self.ben, at: 10 * day + 6) == .allowed)
        #expect(passback.reset("hall", before: 11 * day, at: 11 * day) == [.emptied(zone: "hall", before: 11 * day)])
        #expect(passback.count == 0)
    }

    @Test mutating func aSnapshotRestoresIt() {
        #expect(tap(Self.ada, at: 100) == .allowed)
        _ = passback.doubt("hall")
        #expect(tap(Self.ben, at: 50) == .allowed, "by a clock that was set back")
        var restored = Passback()
        restored.restore(passback.snapshot)
        #expect(restored.places(of: Self.ben).map(\.isSure) == [true])
        #expect(restored.places(of: Self.ada).map(\.isSure) == [false])
        #expect(Set(restored.snapshot) == Set(passback.snapshot))
    }

    @Test mutating func memoryIsBounded() {
        passback = Passback(limit: 3)
        let people = (0..<5).map { PersonDigest(subject: "person \($0)") }
        for (number, person) in people.enumerated() { #expect(tap(person, at: Int64(number)) == .allowed) }
        #expect(passback.people(in: "hall").map(\.person) == Array(people.suffix(3)), "who came first is forgotten first")
        #expect(tap(people[4], at: 9) == Self.refused)
        #expect(pass(people[4], Self.intoHall, at: 10) == [.entered(people[4], zone: "hall", at: 10)], "who is known needs no room")
    }

    @Test mutating func aZoneWithoutRulesKeepsNobody() {
        #expect(passback.passed(Self.ada, through: Self.intoHall, ticket: 0, at: 0) { _ in false } == [])
        #expect(passback.knownZones == [])
    }
}
