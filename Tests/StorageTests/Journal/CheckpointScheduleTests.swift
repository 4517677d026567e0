import Testing

@testable import Storage

/// When a checkpoint is due.
@Suite struct CheckpointScheduleTests {
    static func reach(_ main: UInt64, _ unproven: UInt64 = 0) -> JournalReach {
        func chain(_ sequence: UInt64) -> JournalReach.Chain {
            JournalReach.Chain(first: 1, head: JournalHead(sequence: sequence, hash: []))
        }
        return JournalReach(main: chain(main), unproven: chain(unproven))
    }

    func schedule(_ main: UInt64 = 0, endsWithCheckpoint: Bool = false) -> CheckpointSchedule {
        CheckpointSchedule(records: 10, period: 1000, reach: Self.reach(main), endsWithCheckpoint: endsWithCheckpoint)
    }

    @Test func nothingIsDueWhereNothingHappens() {
        #expect(schedule().due == nil)
        #expect(schedule(7, endsWithCheckpoint: true).due == nil)
    }

    @Test func anEndThatWasNoneIsSignedAtOnce() throws {
        #expect(try #require(schedule(7).due) < 0)
    }

    @Test func itIsDueSoLongAfterTheFirstRecord() {
        var schedule = schedule()
        schedule.advance(to: Self.reach(1), now: 50)
        schedule.advance(to: Self.reach(2), now: 900)
        #expect(schedule.due == 1050)
    }

    @Test func itIsDueAfterSoManyRecordsOfBothChains() throws {
        var schedule = schedule()
        schedule.advance(to: Self.reach(4, 5), now: 50)
        #expect(schedule.due == 1050)
        schedule.advance(to: Self.reach(4, 6), now: 51)
        #expect(try #require(schedule.due) < 0)
    }

    @Test func itsOwnRecordIsNoActivity() {
        var schedule = schedule()
        schedule.advance(to: Self.reach(4), now: 50)
        schedule.made(of: Self.reach(4), in: 5)
        schedule.advance(to: Self.reach(4), now: 60)
        #expect(schedule.due == nil)
        schedule.advance(to: Self.reach(5), now: 70)
        #expect(schedule.due == nil && schedule.uncovered == 0)
        schedule.advance(to: Self.reach(6), now: 80)
        #expect(schedule.due == 1080 && schedule.uncovered == 1)
    }

    @Test func whatCameBetweenSigningAndItsRecordIsActivity() {
        var schedule = schedule()
        schedule.made(of: Self.reach(4), in: 6)
        schedule.advance(to: Self.reach(5), now: 50)
        #expect(schedule.uncovered == 1 && schedule.due == 1050)
        schedule.advance(to: Self.reach(6), now: 60)
        #expect(schedule.uncovered == 1)
    }

    @Test func oneThatCouldNotBeMadeIsNotTriedForEver() {
        var schedule = schedule(7)
        schedule.made(of: Self.reach(7), in: nil)
        schedule.advance(to: Self.reach(7), now: 10)
        #expect(schedule.due == nil)
    }
}
