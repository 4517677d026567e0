import ControlProtocol
import Glibc
import Testing
import Threads

@testable import Controller
@testable import Sync

/// The gate's side of fetching: nothing that the program says is believed (S5).
@Suite struct FetcherTests {
    typealias Line = ScriptedProgram.Line

    let bell: SyncBell
    /// Monotonic milliseconds, as the fetcher sees them.
    let time = Monitor<Int64>(1_000_000)

    init() throws { bell = try SyncBell() }

    /// - Parameter step: milliseconds that pass each time that the fetcher looks.
    private func fetcher(_ program: ScriptedProgram, step: Int64 = 0) throws -> Fetcher {
        let time = time
        return Fetcher(try FetchSetup(agent: "tapstile/0"), bell: bell, now: { time.withLock { now in now += step; return now } },
                       connect: { () throws(SystemError) in try program.connect() })
    }

    private func job(most: Int64 = 100, offset: Int64 = 0, etag: String? = nil) throws -> FetchJob {
        try FetchJob(url: "https://site.example/metadata/timestamp.json", mostBytes: most, milliseconds: 60_000, minimumRate: 10, etag: etag, offset: offset)
    }

    /// A program that says nothing to the set-up, and this to each file asked for.
    private func program(_ lines: [Line]) -> ScriptedProgram {
        ScriptedProgram { order, _ in if case .fetch = order { lines } else { [] } }
    }

    private func stop(_ fetcher: Fetcher, _ job: FetchJob) -> FetchStop? {
        do throws(FetchStop) {
            _ = try fetcher.fetch(job)
            return nil
        } catch {
            return error
        }
    }

    @Test func filesComeOneAfterTheOtherOverOneConnection() throws {
        let program = program([.beat, .head(200, length: 3, etag: "\"a\""), .bytes([1, 2]), .beat, .bytes([3]), .end])
        let fetcher = try fetcher(program)
        for _ in 0..<3 {
            let (head, bytes) = try fetcher.fetch(try job())
            #expect(head.status == 200 && head.etag == "\"a\"")
            #expect(bytes == [1, 2, 3])
        }
        #expect(program.connections == 1)
        #expect(program.orders == [.setUp(try FetchSetup(agent: "tapstile/0"))] + Array(repeating: .fetch(try job()), count: 3))
    }

    @Test func aFileThatIsNotThereIsAnAnswer() throws {
        let fetcher = try fetcher(program([.head(404), .end]))
        #expect(try fetcher.fetch(try job()).head.status == 404)
    }

    @Test func aServerThatSendsAllInsteadOfTheRestIsToldBeforeItsFirstByte() throws {
        let fetcher = try fetcher(program([.head(200, length: 5), .bytes([1, 2, 3, 4, 5]), .end]))
        var said: [String] = []
        _ = try fetcher.fetch(try job(offset: 3), begin: { said.append("\($0.status)") }, receive: { said.append("\($0)") })
        #expect(said == ["200", "[1, 2, 3, 4, 5]"])
    }

    @Test func whatTheProgramReportsLeavesTheConnection() throws {
        let program = program([.send(.failed(FetchFault(.certificateRefused, "self-signed")))])
        let fetcher = try fetcher(program)
        for _ in 0..<2 { #expect(stop(fetcher, try job()) == .breach(.failed(FetchFault(.certificateRefused, "self-signed")))) }
        #expect(program.connections == 1)
    }

    // Lies ---------------------------------------------------------------------------------------

    @Test func everyBreachEndsTheConnectionAndTheNextFileGetsANewOne() throws {
        let lies: [(lines: [Line], code: String)] = [
            ([.head(200), .bytes([UInt8](repeating: 0, count: 101))], "endless-data"),
            ([.head(200, length: 101)], "endless-data"),
            ([.bytes([1])], "fetcher-protocol"), ([.end], "fetcher-protocol"), ([.head(200), .head(200)], "fetcher-protocol"),
            ([.head(200, length: 2), .bytes([1]), .end], "fetcher-protocol"), ([.head(304), .end], "fetcher-protocol"),
            ([.head(404), .bytes([1])], "fetcher-protocol"), ([.raw([99])], "fetcher-protocol"),
            ([.raw([3, 0, 1, 0, 1])], "fetcher-protocol"), ([.raw([4, 0, 0, 0, 1, 0])], "fetcher-protocol"),
            ([.raw(FetchFrame.order(.cancel).bytes)], "fetcher-protocol"), ([.hangUp], "fetcher-died"), ([.head(200), .bytes([1]), .hangUp], "fetcher-died")
        ]
        for (index, lie) in lies.enumerated() {
            let program = ScriptedProgram { order, count in
                guard case .fetch = order else { return [] }
                return count < 2 ? lie.lines : [.head(200), .bytes([7]), .end]
            }
            let fetcher = try fetcher(program)
            guard case .breach(let breach)? = stop(fetcher, try job()) else {
                Issue.record("lie \(index) was believed")
                continue
            }
            #expect(breach.code == lie.code, "lie \(index)")
            try program.waitForEnd(of: 1)
            time.withLock { $0 += Fetcher.connectPause }
            #expect(try fetcher.fetch(try job()).bytes == [7])
            #expect(program.connections == 2)
        }
    }

    @Test func aProgramThatEndsAfterAnyByteIsNeverBelieved() throws {
        let whole = FetchFrame.report(.head(try FetchHead(status: 200, length: 3))).bytes + FetchFrame.report(.bytes([1, 2, 3])).bytes
            + FetchFrame.report(.end).bytes
        for count in 0..<whole.count {
            let fetcher = try fetcher(program([.raw(Array(whole.prefix(count))), .hangUp]))
            #expect(stop(fetcher, try job()) == .breach(.gone("it has ended the connection")), "after \(count) bytes")
        }
        #expect(try fetcher(program([.raw(whole), .hangUp])).fetch(try job()).bytes == [1, 2, 3])
    }

    @Test func whoSaysNothingIsGivenUp() throws {
        #expect(stop(try fetcher(program([]), step: 2500), try job()) == .breach(.silent))
    }

    @Test func whoWasHeardIsGivenUpSooner() throws {
        let heard = Monitor(false)
        let program = ScriptedProgram { order, _ in
            guard case .fetch = order else { return [] }
            return heard.withLock { before in
                defer { before = true }
                return before ? [] : [.head(404), .end]
            }
        }
        let fetcher = try fetcher(program, step: 500)
        _ = try fetcher.fetch(try job())
        let begun = time.withLock { $0 }
        #expect(stop(fetcher, try job()) == .breach(.silent))
        #expect(time.withLock { $0 } - begun < FetchWatch.startMilliseconds)
    }

    @Test func whoOnlyBeatsIsGivenUpAtTheBoundOfTheRate() throws {
        let beats = [Line](repeating: .beat, count: 200)
        #expect(stop(try fetcher(program([.head(200)] + beats), step: 400), try job()) == .breach(.slow))
    }

    @Test func whoBringsEnoughButNoEndIsLate() throws {
        let pieces = [Line](repeating: .bytes([UInt8](repeating: 0, count: 1000)), count: 400)
        #expect(stop(try fetcher(program([.head(200)] + pieces), step: 400), try job(most: .max)) == .breach(.late))
    }

    // Ends ---------------------------------------------------------------------------------------

    @Test func aGateThatStopsDoesNotWaitForAnybody() throws {
        let program = ScriptedProgram { [bell] order, _ in
            guard case .fetch = order else { return [] }
            bell.ring()
            return []
        }
        #expect(stop(try fetcher(program), try job()) == .calledOff)
        try program.waitForEnd(of: 1)
    }

    @Test func aDiskThatIsFullEndsTheConnection() throws {
        let program = program([.head(200), .bytes([1]), .bytes([2]), .end])
        let fetcher = try fetcher(program)
        #expect(throws: FetchStop.disk(SystemError("write", ENOSPC))) {
            try fetcher.fetch(try job(), begin: { _ in }, receive: { _ throws(SystemError) in throw SystemError("write", ENOSPC) })
        }
        try program.waitForEnd(of: 1)
    }

    @Test func aProgramThatCannotBeReachedIsSaid() throws {
        let fetcher = Fetcher(try FetchSetup(agent: "tapstile/0"), bell: bell,
                              connect: { () throws(SystemError) in try FetchConnection(path: "/nowhere/fetch.sock") })
        guard case .breach(.gone)? = stop(fetcher, try job()) else { Issue.record("somebody answered"); return }
    }

    // Between runs -------------------------------------------------------------------------------

    @Test func aConnectionNobodyUsesIsKeptForTwentyMinutes() throws {
        let program = program([.head(200), .end, .beat, .beat])
        let fetcher = try fetcher(program)
        _ = try fetcher.fetch(try job())
        time.withLock { $0 += Fetcher.idleMilliseconds - 1 }
        fetcher.rest()
        _ = try fetcher.fetch(try job())
        #expect(program.connections == 1)
        time.withLock { $0 += Fetcher.idleMilliseconds }
        fetcher.rest()
        try program.waitForEnd(of: 1)
        _ = try fetcher.fetch(try job())
        #expect(program.connections == 2)
    }

    @Test func whatIsSaidUnaskedBelongsToNoFile() throws {
        let program = ScriptedProgram { order, count in
            guard case .fetch = order else { return [] }
            return count < 2 ? [.head(200), .bytes([1]), .end, .head(200), .bytes([66]), .end, .hangUp] : [.head(200), .bytes([2]), .end]
        }
        let fetcher = try fetcher(program)
        #expect(try fetcher.fetch(try job()).bytes == [1])
        try program.waitForEnd(of: 1)
        time.withLock { $0 += Fetcher.connectPause }
        #expect(try fetcher.fetch(try job()).bytes == [2])
        #expect(program.connections == 2)
    }

    @Test func anotherWayToServersIsANewConnection() throws {
        let program = program([.head(200), .end])
        let fetcher = try fetcher(program)
        _ = try fetcher.fetch(try job())
        time.withLock { $0 += Fetcher.connectPause }
        _ = try fetcher.fetch(try job())
        #expect(program.connections == 1)
        // The program has read the settings of its start.
        fetcher.close()
        _ = try fetcher.fetch(try job())
        #expect(program.orders.filter { if case .setUp = $0 { true } else { false } }.count == 2)
    }
}
