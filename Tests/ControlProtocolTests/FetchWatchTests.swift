import Testing

@testable import ControlProtocol

@Suite("What the asking side sees to itself while a file is fetched")
struct FetchWatchTests {
    /// 100 bytes at most, within 60 s, 10 bytes a second over 5 s.
    static func job(offset: Int64 = 0, etag: String? = nil) throws -> FetchJob {
        try FetchJob(url: "https://a/b", mostBytes: 100, milliseconds: 60_000, minimumRate: 10, windowMilliseconds: 5000, etag: etag, offset: offset)
    }

    static func head(_ status: Int = 200, length: Int64? = nil) throws -> FetchReport { .head(try FetchHead(status: status, length: length)) }

    static func bytes(_ count: Int) -> FetchReport { .bytes([UInt8](repeating: 1, count: count)) }

    /// Why these reports, all at once, are refused; nil when they are not.
    static func breach(_ job: FetchJob, _ reports: [FetchReport]) -> FetchBreach? {
        var watch = FetchWatch(job, at: 0)
        do throws(FetchBreach) {
            for report in reports { _ = try watch.receive(report, at: 0) }
            return nil
        } catch {
            return error
        }
    }

    @Test func aFileComesInItsOrder() throws {
        var watch = FetchWatch(try Self.job(), at: 1000)
        #expect(try watch.receive(.beat, at: 1001) == .nothing)
        #expect(try watch.receive(Self.head(length: 3), at: 1002) == .head(FetchHead(status: 200, length: 3)))
        #expect(try watch.receive(.bytes([1, 2]), at: 1003) == .bytes([1, 2]))
        #expect(try watch.receive(.bytes([3]), at: 1003) == .bytes([3]))
        #expect(try watch.receive(.end, at: 1004) == .end)
    }

    @Test func allThatWasAskedForMayComeAndNoByteMore() throws {
        #expect(Self.breach(try Self.job(), [try Self.head(), Self.bytes(60), Self.bytes(40), .end]) == nil)
        #expect(Self.breach(try Self.job(), [try Self.head(), Self.bytes(60), Self.bytes(41)]) == .endless)
        #expect(Self.breach(try Self.job(), [try Self.head(length: 101)]) == .endless)
        // The rest of a file of which 90 bytes are there; all of it, where the server begins anew.
        #expect(Self.breach(try Self.job(offset: 90), [try Self.head(206), Self.bytes(10), .end]) == nil)
        #expect(Self.breach(try Self.job(offset: 90), [try Self.head(206), Self.bytes(11)]) == .endless)
        #expect(Self.breach(try Self.job(offset: 90), [try Self.head(206, length: 11)]) == .endless)
        #expect(Self.breach(try Self.job(offset: 90), [try Self.head(200, length: 100), Self.bytes(100), .end]) == nil)
    }

    @Test func nothingIsSaidOutOfItsTurn() throws {
        let ok = try Self.head()
        let wrong: [[FetchReport]] = [
            [.end], [Self.bytes(1)], [ok, ok], [ok, .end, .end], [ok, .end, Self.bytes(1)], [ok, .end, ok],
            [try Self.head(404), Self.bytes(1)], [try Self.head(206)], [try Self.head(304)], [try Self.head(length: 2), Self.bytes(1), .end],
            [ok, .end, .failed(FetchFault(.other))]
        ]
        for reports in wrong {
            guard case .outOfTurn? = Self.breach(try Self.job(), reports) else {
                Issue.record("\(reports)")
                continue
            }
        }
        #expect(Self.breach(try Self.job(etag: "\"a\""), [try Self.head(304), .end]) == nil)
        #expect(Self.breach(try Self.job(), [try Self.head(404), .end]) == nil)
    }

    @Test func aProgramThatSaysNothingIsDead() throws {
        var watch = FetchWatch(try Self.job(), at: 0)
        _ = try watch.receive(Self.head(), at: 0)
        #expect(watch.wakeAt == 7000)
        _ = try watch.receive(Self.bytes(90), at: 6999)
        try watch.passed(to: 7000)
        #expect(throws: FetchBreach.silent) { try watch.passed(to: 16_999) }
    }

    @Test func aProgramThatIsBeingStartedMaySayNothingForLonger() throws {
        let job = try FetchJob(url: "https://a", mostBytes: 9, milliseconds: 60_000, minimumRate: 0)
        var silent = FetchWatch(job, at: 0, isStarting: true)
        try silent.passed(to: 29_999)
        #expect(throws: FetchBreach.silent) { try silent.passed(to: 30_000) }
        var heard = FetchWatch(job, at: 0, isStarting: true)
        _ = try heard.receive(.beat, at: 1000)
        #expect(throws: FetchBreach.silent) { try heard.passed(to: 11_000) }
    }

    @Test func whoDidNotListenTakesItForNoSilence() throws {
        var watch = FetchWatch(try FetchJob(url: "https://a", mostBytes: 9, milliseconds: 60_000, minimumRate: 0), at: 0)
        #expect(try watch.receive(.beat, at: 20_000) == .nothing)
        #expect(throws: FetchBreach.silent) { try watch.passed(to: 30_000) }
    }

    @Test func signsOfLifeAreNoBytes() throws {
        var watch = FetchWatch(try Self.job(), at: 0)
        _ = try watch.receive(Self.head(), at: 0)
        _ = try watch.receive(Self.bytes(49), at: 1)
        for second in 1...6 { _ = try watch.receive(.beat, at: Int64(second) * 1000) }
        #expect(throws: FetchBreach.slow) { try watch.receive(.beat, at: 7000) }
    }

    @Test func aServerThatIsJustFastEnoughIsNot() throws {
        var watch = FetchWatch(try FetchJob(url: "https://a", mostBytes: 1000, milliseconds: 60_000, minimumRate: 10, windowMilliseconds: 5000), at: 0)
        _ = try watch.receive(Self.head(), at: 0)
        for window in 0..<10 {
            let begin: Int64 = window == 0 ? 0 : 7000 + Int64(window - 1) * 5000
            _ = try watch.receive(Self.bytes(50), at: begin + 1)
            try watch.passed(to: 7000 + Int64(window) * 5000)
        }
    }

    @Test func theTimeIsOver() throws {
        let job = try FetchJob(url: "https://a", mostBytes: 1000, milliseconds: 3000, minimumRate: 0)
        var watch = FetchWatch(job, at: 0)
        #expect(watch.wakeAt == 5000)
        try watch.passed(to: 4999)
        #expect(throws: FetchBreach.late) { try watch.receive(.beat, at: 5000) }
    }

    @Test func whatTheProgramNoticesFirstHasTheSameName() {
        #expect(FetchBreach.failed(FetchFault(.tooManyBytes)).code == FetchBreach.endless.code)
        #expect(FetchBreach.failed(FetchFault(.tooSlow)).code == FetchBreach.slow.code)
        #expect(FetchBreach.failed(FetchFault(.timeOver)).code == FetchBreach.late.code)
        #expect(FetchBreach.failed(FetchFault(.nameNotFound)).code == "name-not-found")
        #expect(FetchBreach.failed(FetchFault(.nameNotFound)).leavesConnection)
    }
}
