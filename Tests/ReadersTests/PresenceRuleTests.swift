import Testing

@testable import Readers

/// T9: what happens to a phone that stays, leaves, flickers or breaks off. Times in milliseconds.
@Suite struct PresenceRuleTests {
    /// A rule whose phone arrived at time 0 and whose presentation began.
    private func serving() -> PresenceRule {
        var rule = PresenceRule()
        rule.field(isPresent: true, at: 0)
        #expect(rule.step(at: 0) == .serve(isRerun: false))
        rule.begin()
        return rule
    }

    @Test func anEmptyFieldWaitsForEver() {
        #expect(PresenceRule().step(at: 1_000_000) == .wait(until: nil))
    }

    @Test func nothingIsServedTwiceAtOnce() {
        #expect(serving().step(at: 10) == .wait(until: nil))
    }

    @Test func aCardLeftLyingIsReadOnce() {
        var rule = serving()
        rule.end(.done, at: 500)
        #expect(rule.step(at: 500) == .wait(until: nil))
        #expect(rule.step(at: 1_000_000_000) == .wait(until: nil))
    }

    @Test(arguments: [(299, true), (300, false), (5_000, false)])
    func aPhoneThatHadItsResultMustBeAwayFor300MillisecondsToBeAnother(away: Int64, mayBeTheSame: Bool) {
        var rule = serving()
        #expect(!rule.mayBeTheSame)
        rule.end(.done, at: 500)
        rule.field(isPresent: false, at: 1_000)
        rule.field(isPresent: true, at: 1_000 + away)
        #expect(rule.step(at: 1_000 + away) == .serve(isRerun: false))
        #expect(rule.mayBeTheSame == mayBeTheSame)
    }

    /// The pause is the phone's that was read: the next in the queue is no slower than it.
    @Test func thePhoneThatComesAtOnceAfterAnotherIsRead() {
        var rule = serving()
        rule.end(.done, at: 500)
        rule.flickered(at: 520)
        #expect(rule.step(at: 520) == .serve(isRerun: false))
        rule.begin()
        #expect(rule.mayBeTheSame)
        rule.end(.done, at: 900)
        #expect(rule.step(at: 1_000_000) == .wait(until: nil), "and once, as ever")
    }

    /// It came while the gate was still at the end of the one before.
    @Test func thePhoneThatComesBeforeTheResultOfTheOneBeforeIsRead() {
        var rule = serving()
        rule.field(isPresent: false, at: 400)
        rule.field(isPresent: true, at: 450)
        rule.end(.done, at: 500)
        #expect(rule.step(at: 500) == .serve(isRerun: false))
        #expect(rule.mayBeTheSame)
    }

    @Test func shortAbsencesOfOneThatIsKnownDoNotAddUp() {
        var rule = serving()
        rule.end(.done, at: 500)
        for start in stride(from: Int64(1_000), to: 5_000, by: 400) {
            rule.field(isPresent: false, at: start)
            rule.field(isPresent: true, isSame: true, at: start + 200)
            #expect(rule.step(at: start + 200) == .wait(until: nil))
        }
    }

    /// Three attempts at once, and no more than one a second after that, for whoever trembles at the edge of the field.
    @Test func aPhoneAtTheEdgeOfTheFieldIsNotTriedAsFastAsItTrembles() {
        var rule = serving()
        for _ in 0..<2 {
            rule.end(.interrupted, at: 100)
            rule.begin()
        }
        rule.end(.interrupted, at: 100)
        rule.flickered(at: 200)
        #expect(rule.step(at: 200) == .wait(until: 1_200))
        #expect(rule.step(at: 1_200) == .serve(isRerun: true))
    }

    /// A card in a phone's case: which of the two the chip finds says nothing of the other.
    @Test func aPhoneThatWasHiddenByAnotherIsNotReadAgain() {
        var rule = serving()
        rule.end(.done, at: 500)
        rule.hidden(at: 600)
        rule.field(isPresent: true, at: 700)
        #expect(rule.step(at: 700) == .wait(until: nil))
        rule.hidden(at: 800)
        rule.field(isPresent: true, at: 1_200)
        #expect(rule.step(at: 1_200) == .serve(isRerun: false), "it was away for long enough")
    }

    @Test func aPhoneThatLeftBeforeItsResultCountsFromItsLeaving() {
        var rule = serving()
        rule.field(isPresent: false, at: 400)
        rule.end(.done, at: 500)
        rule.field(isPresent: true, at: 700)
        #expect(rule.step(at: 700) == .serve(isRerun: false))
    }

    @Test func theNextPersonIsServedWhenAStuckPresentationEnds() {
        var rule = serving()
        rule.field(isPresent: false, at: 1_000)
        rule.field(isPresent: true, at: 2_000)
        rule.end(.done, at: 4_000)
        #expect(rule.step(at: 4_000) == .serve(isRerun: false))
    }

    @Test func aPhoneInTheFieldIsServedWhenItsCooldownEnds() {
        var rule = serving()
        rule.end(.again(afterMilliseconds: 2_000), at: 500)
        #expect(rule.step(at: 500) == .wait(until: 2_500))
        #expect(rule.step(at: 2_499) == .wait(until: 2_500))
        #expect(rule.step(at: 2_500) == .serve(isRerun: true))
    }

    @Test func aPhoneLiftedDuringItsCooldownIsServedWhenItComesBack() {
        var rule = serving()
        rule.end(.again(afterMilliseconds: 2_000), at: 500)
        rule.field(isPresent: false, at: 600)
        #expect(rule.step(at: 650) == .wait(until: nil))
        rule.field(isPresent: true, at: 700)
        #expect(rule.step(at: 700) == .serve(isRerun: false))
    }

    @Test func aPhoneGoneWhenItsCooldownBeganIsServedWhenItComesBack() {
        var rule = serving()
        rule.field(isPresent: false, at: 400)
        rule.end(.again(afterMilliseconds: 2_000), at: 500)
        rule.field(isPresent: true, at: 600)
        #expect(rule.step(at: 600) == .serve(isRerun: false))
    }

    @Test func aBrokenPresentationIsTriedThreeTimes() {
        var rule = serving()
        rule.end(.interrupted, at: 100)
        #expect(rule.step(at: 100) == .wait(until: 200))
        #expect(rule.step(at: 200) == .serve(isRerun: true))
        rule.begin()
        rule.end(.interrupted, at: 300)
        #expect(rule.step(at: 400) == .serve(isRerun: true))
        rule.begin()
        rule.end(.interrupted, at: 500)
        #expect(rule.step(at: 1_000_000) == .wait(until: nil))
    }

    @Test func aBrokenPresentationIsTriedAgainAfterAFlicker() {
        var rule = serving()
        rule.end(.interrupted, at: 100)
        rule.flickered(at: 250)
        #expect(rule.step(at: 250) == .serve(isRerun: false))
    }

    /// pcscd shows a phone and lets nobody connect: the next attempt comes after its next look (400 ms), and there is
    /// always another one.
    @Test func aPhoneThatCannotBeReachedIsNeverGivenUp() {
        var rule = serving()
        var now: Int64 = 0
        for pause: Int64 in [450, 900, 1_000, 1_000, 1_000] {
            rule.missed(at: now)
            #expect(rule.step(at: now + pause - 1) == .wait(until: now + pause))
            now += pause
            #expect(rule.step(at: now) == .serve(isRerun: true))
            rule.begin()
        }
    }

    @Test func attemptsThatReachNoPhoneAreNoInterruptions() {
        var rule = serving()
        rule.end(.interrupted, at: 0)
        for now: Int64 in [1_000, 3_000, 5_000] {
            rule.begin()
            rule.missed(at: now)
        }
        rule.begin()
        rule.end(.interrupted, at: 7_000)
        #expect(rule.step(at: 7_100) == .serve(isRerun: true))
        rule.begin()
        rule.end(.interrupted, at: 7_200)
        #expect(rule.step(at: 1_000_000) == .wait(until: nil))
    }

    @Test func aPhoneThatHadItsResultIsNotRunAgainForBeingReachableAgain() {
        var rule = serving()
        rule.missed(at: 0)
        rule.begin()
        rule.end(.done, at: 1_000)
        #expect(rule.step(at: 1_000_000) == .wait(until: nil))
    }

    @Test func aPhoneThatCouldNotBeReachedIsServedAtOnceWhenItIsSeenToComeBack() {
        var rule = serving()
        rule.missed(at: 0)
        rule.field(isPresent: false, at: 100)
        #expect(rule.step(at: 450) == .wait(until: nil))
        rule.field(isPresent: true, at: 200)
        #expect(rule.step(at: 200) == .serve(isRerun: false))
    }

    @Test func anotherPhoneThanTheOneThatCouldNotBeReachedIsServedAtOnce() {
        var rule = serving()
        rule.field(isPresent: false, at: 100)
        rule.field(isPresent: true, at: 500)
        rule.missed(at: 600)
        #expect(rule.step(at: 600) == .serve(isRerun: false))
    }

    @Test func whatAnotherProgramHoldsIsNotStartedAnew() {
        var rule = serving()
        rule.refused(at: 0, pause: 500)
        #expect(rule.step(at: 499) == .wait(until: 500))
        #expect(rule.step(at: 500) == .serve(isRerun: false))
    }

    @Test func aPhoneThatWasAwayHasThreeNewAttempts() {
        var rule = serving()
        for _ in 0..<2 {
            rule.end(.interrupted, at: 100)
            rule.begin()
        }
        rule.end(.interrupted, at: 100)
        rule.field(isPresent: false, at: 1_000)
        rule.field(isPresent: true, at: 1_300)
        #expect(rule.step(at: 1_300) == .serve(isRerun: false))
        rule.begin()
        rule.end(.interrupted, at: 1_400)
        #expect(rule.step(at: 1_500) == .serve(isRerun: true))
    }

    @Test func aFlickerMayBeTheSame() {
        var rule = serving()
        rule.end(.done, at: 500)
        rule.flickered(at: 10_000)
        #expect(rule.step(at: 10_000) == .serve(isRerun: false))
        #expect(rule.mayBeTheSame)
    }

    @Test func aCardLeftLyingIsNotReadAgainBecausePcscdRestarted() {
        var rule = serving()
        rule.end(.done, at: 500)
        rule.lostSight(at: 600)
        #expect(rule.step(at: 5_000) == .wait(until: nil))
        rule.field(isPresent: true, at: 10_000)
        #expect(rule.step(at: 10_000) == .wait(until: nil))
    }

    /// A reader that fails while nobody is there must not keep the next phone waiting until it is lifted.
    @Test(arguments: [(299, false), (300, true)])
    func aPhoneThatHadLeftBeforeSightWasLostIsNotTheOneThatIsThereAfterwards(away: Int64, isServed: Bool) {
        var rule = serving()
        rule.end(.done, at: 500)
        rule.field(isPresent: false, at: 1_000)
        rule.lostSight(at: 1_000 + away)
        rule.lostSight(at: 9_000)
        rule.field(isPresent: true, at: 10_000)
        #expect(rule.step(at: 10_000) == (isServed ? .serve(isRerun: false) : .wait(until: nil)))
    }

    @Test func aFieldSeenEmptyAfterARestartCountsFromThen() {
        var rule = serving()
        rule.end(.done, at: 500)
        rule.lostSight(at: 600)
        rule.field(isPresent: false, at: 10_000)
        rule.field(isPresent: true, at: 10_300)
        #expect(rule.step(at: 10_300) == .serve(isRerun: false))
    }
}
