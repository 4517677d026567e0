import Testing

@testable import Controller
@testable import Sync

/// What of many runs is worth a record (S2).
@Suite struct SyncDiaryTests {
    private func failure(_ kind: SyncFailure.Kind, _ code: String) -> SyncFailure { SyncFailure(kind, code: code, message: "") }

    @Test func weeksWithoutANetworkAreTwoRecords() {
        var diary = SyncDiary()
        var entries: [SyncDiary.Entry] = []
        for run in 0..<2000 { entries += diary.ended(failure(.unreachable, run % 2 == 0 ? "name-not-found" : "connect-failed"), at: Int64(run) * 900_000) }
        entries += diary.ended(nil, at: 2_000_000_000)
        entries += diary.ended(nil, at: 2_000_000_001)
        #expect(entries == [.unreachable(code: "name-not-found"), .reachable])
    }

    @Test func theSameRefusalIsRecordedOnceAnHour() {
        var diary = SyncDiary()
        let hour = SyncDiary.pause
        #expect(diary.ended(failure(.refused, "tuf-rollback"), at: 0) == [.refused(code: "tuf-rollback")])
        #expect(diary.ended(failure(.refused, "tuf-rollback"), at: hour - 1) == [])
        #expect(diary.ended(failure(.local, "no-room"), at: hour - 1) == [.refused(code: "no-room")])
        #expect(diary.ended(failure(.refused, "tuf-rollback"), at: hour) == [.refused(code: "tuf-rollback")])
    }

    @Test func whoeverRefusesHasReachedIt() {
        var diary = SyncDiary()
        _ = diary.ended(failure(.unreachable, "connect-failed"), at: 0)
        #expect(diary.ended(failure(.local, "no-room"), at: 1) == [.refused(code: "no-room")])
        #expect(diary.ended(failure(.refused, "tuf-freeze"), at: 2) == [.reachable, .refused(code: "tuf-freeze")])
    }

    @Test func aStopIsNoFailure() {
        var diary = SyncDiary()
        #expect(diary.ended(.calledOff, at: 0) == [])
        #expect(diary.ended(nil, at: 1) == [])
    }

    @Test func whatIsNotAskedForIsNoRefusal() {
        var diary = SyncDiary()
        let postponed = failure(.postponed, "whole-not-asked-for")
        #expect(diary.ended(postponed, at: 0) == [.postponed(code: "whole-not-asked-for")])
        #expect(diary.ended(postponed, at: 1) == [])
    }
}
