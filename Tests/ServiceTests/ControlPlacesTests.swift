import CLinux
import Dispatch
import Files
import Glibc
@testable import Service
import Testing
import Threads
import Waits

/// Who gets a place at the control socket when somebody takes many.
@Suite("Places at the control socket") struct ControlPlacesTests {
    private let folder: Folder
    private var path: String { folder.file("c") }

    init() throws { folder = try Folder() }

    private static let places = ControlPlaces(limits: ControlLimits(clients: 10, keptForRoot: 2, clientsOfUser: 5, subscribersOfUser: 3))
    private static func users(_ user: UInt32, _ count: Int) -> [UInt32] { Array(repeating: user, count: count) }

    @Test func manyConnectionsOfOneUserKeepNobodyElseOut() {
        let crowd = Self.users(1000, 5)
        #expect(Self.places.verdict(for: 1000, among: crowd) == .userIsFull)
        #expect(Self.places.verdict(for: 1001, among: crowd) == .free)
        #expect(Self.places.verdict(for: 0, among: crowd) == .free)
    }

    @Test func manyUsersLeaveRootItsPlaces() {
        let crowd = Self.users(1000, 4) + Self.users(1001, 4)
        #expect(Self.places.verdict(for: 1002, among: crowd) == .allTaken)
        #expect(Self.places.verdict(for: 0, among: crowd) == .free)
        #expect(Self.places.verdict(for: 0, among: crowd + [0, 0]) == .allTaken)
    }

    @Test func nobodyMakesRoomForSomebodyElsesCrowd() {
        #expect(Self.places.makesRoom(1000, for: 1000, .userIsFull) && !Self.places.makesRoom(1001, for: 1000, .userIsFull))
        #expect(Self.places.makesRoom(1001, for: 1000, .allTaken) && !Self.places.makesRoom(0, for: 1000, .allTaken))
        #expect(Self.places.makesRoom(0, for: 0, .allTaken))
    }

    @Test func aUserWithManySubscribersCanStillAsk() {
        #expect(Self.places.admitsSubscriber(of: 1000, among: Self.users(1000, 2)))
        #expect(!Self.places.admitsSubscriber(of: 1000, among: Self.users(1000, 3)))
        #expect(Self.places.verdict(for: 1000, among: Self.users(1000, 3)) == .free)
        #expect(Self.places.admitsSubscriber(of: 0, among: Self.users(0, 3)))
    }

    private let evicted = Evicted()

    private func server(_ limits: ControlLimits) throws -> ControlServer {
        try ControlServer(doors: [ControlDoor(path: path)], limits: limits, notices: ControlServerTests.notices,
                          onEviction: { [evicted] peer in evicted.add(peer) }, handler: ControlServerTests.handle)
    }

    private func text(_ line: [UInt8]?) -> String? { line.map { String(decoding: $0, as: UTF8.self) } }

    private func receive(_ client: ControlClient) throws -> String? {
        text(try client.receive(withinMilliseconds: Int64(WaitLimit.milliseconds)))
    }

    /// It had "Broken pipe", and never read why.
    @Test func whoeverWritesAfterItWasTurnedAwayReadsWhy() throws {
        let server = try server(ControlLimits(clients: 1, keptForRoot: 0, idleMilliseconds: .max))
        let first = try ControlClient(path: path)
        try first.send(Array("a".utf8))
        #expect(try receive(first) == "a")
        let raw = FileDescriptor(owning: clinux_unix_socket(Int32(CLINUX_STREAM), 1))
        #expect(clinux_unix_connect(raw.raw, path) == 0)
        try waitForInput(raw.raw, "the server to turn it away")
        #expect(clinux_send(raw.raw, "status\n", 7) == 7, "the pipe is whole until it has hung up")
        var answer = [UInt8](repeating: 0, count: 100)
        let count = clinux_receive(raw.raw, &answer, answer.count)
        #expect(Array(answer[..<max(0, count)]) == Array("busy\n".utf8))
        server.stop()
    }

    /// A server of whatever kind that says something and hangs up.
    @Test func aClientWhoseWriteMetABrokenPipeReadsWhatWasSaid() throws {
        let listener = try ListeningSocket.open(path: path)
        let client = try ControlClient(path: path)
        var accepted = try ListeningSocket.accept(listener)
        #expect(clinux_send(try #require(accepted).raw, "busy\n", 5) == 5)
        accepted = nil
        try client.send(Array("status".utf8))
        #expect(try receive(client) == "busy")
        #expect(try receive(client) == nil)
    }

    @Test func whoeverIsTurnedAwayAndStaysTakesNoPlace() throws {
        let server = try server(ControlLimits(clients: 1, keptForRoot: 0, idleMilliseconds: .max))
        var first: ControlClient? = try ControlClient(path: path)
        try first?.send(Array("a".utf8))
        #expect(try receive(#require(first)) == "a")
        let staying = try (0..<40).map { _ in try ControlClient(path: path) }
        for client in staying { #expect(try receive(client) == "busy") }
        first = nil
        // The server has seen that the first one is gone when the next one has a place.
        try waitUntil("the place of the first one") {
            let next = try ControlClient(path: path)
            try next.send(Array("n".utf8))
            return try receive(next) == "n"
        }
        withExtendedLifetime(staying) { server.stop() }
    }

    /// A thousand requests in one write kept the loop from everybody else, and from the watchdog, which kills the gate: an observer could.
    @Test func whoeverSendsAThousandRequestsAtOnceHoldsUpNobody() throws {
        let heard = Heard(), hasBegun = DispatchSemaphore(value: 0), isThere = DispatchSemaphore(value: 0)
        let server = try ControlServer(doors: [ControlDoor(path: path)], notices: ControlServerTests.notices) { _, line in
            heard.add(String(decoding: line, as: UTF8.self))
            if line == [UInt8(ascii: "0")] {
                hasBegun.signal()
                isThere.hold("the crowd")
            }
            return .lines([line])
        }
        let (crowd, quick) = try (ControlClient(path: path), ControlClient(path: path))
        try quick.send(Array("here".utf8))
        #expect(try receive(quick) == "here")
        try crowd.send(Array((0..<1000).map { "\($0)" }.joined(separator: "\n").utf8))
        try hasBegun.wait(for: "the first of the thousand")
        try quick.send(Array("x".utf8))
        isThere.signal()
        #expect(try receive(quick) == "x")
        let place = try #require(heard.lines.firstIndex(of: "x"))
        #expect(place < 20, "after a few of the thousand, not after all")
        for number in 0..<1000 { #expect(try receive(crowd) == "\(number)") }
        server.stop()
    }

    /// With nothing more to come: what was sent before the end is answered all the same.
    @Test func whoeverSendsManyRequestsAndEndsHasAllAnswers() throws {
        let server = try server(ControlLimits())
        let client = FileDescriptor(owning: clinux_unix_socket(Int32(CLINUX_STREAM), 1))
        #expect(clinux_unix_connect(client.raw, path) == 0)
        let text = (0..<100).map { "\($0)\n" }.joined()
        #expect(clinux_send(client.raw, text, text.utf8.count) == text.utf8.count)
        shutdown(client.raw, Int32(SHUT_WR))
        var answer: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            try waitForInput(client.raw, "the rest of the answers")
            let count = clinux_receive(client.raw, &piece, piece.count)
            guard count > 0 else { break }
            answer += piece[..<count]
        }
        #expect(answer == Array(text.utf8))
        server.stop()
    }

    @Test func aSubscriberThatReadsNothingIsCutOff() throws {
        let server = try server(ControlLimits(outputBytes: 8192, events: 100_000, stallMilliseconds: 0))
        let (slow, quick) = try (ControlClient(path: path), ControlClient(path: path))
        try slow.send(Array("subscribe".utf8))
        #expect(try receive(slow) == "subscribed")
        let padding = [UInt8](repeating: 0x70, count: 990)
        // 1.4 MB, and each part has gone into the socket before the next one comes: far more than socket and buffer hold.
        for _ in 0..<200 {
            for _ in 0..<7 { server.broadcast(padding) }
            try quick.send(Array("x".utf8))
            #expect(try receive(quick) == "x")
        }
        server.broadcast(Array("last".utf8))
        try quick.send(Array("y".utf8))
        #expect(try receive(quick) == "y")
        var heard: [String] = []
        while heard.last != "last", let line = try receive(slow) { heard.append(line) }
        #expect(heard.count > 10 && heard.last != "last", "it was served until it was full, and then no more")
        #expect(evicted.peers.count == 1, "which is told once")
        server.stop()
    }

    /// It kept its place for as long as nothing was broadcast.
    @Test(arguments: [true, false]) func whoeverAsksForMuchAndReadsNothingIsCutOffThoughNothingElseHappens(isSubscribed: Bool) throws {
        let server = try server(ControlLimits(outputBytes: 8192, stallMilliseconds: 100))
        let (slow, quick) = try (ControlClient(path: path), ControlClient(path: path))
        if isSubscribed {
            try slow.send(Array("subscribe".utf8))
            #expect(try receive(slow) == "subscribed")
        }
        try slow.send(Array("much".utf8))
        try waitUntil("its end, and that it is told") { !evicted.peers.isEmpty }
        var last: String?
        while let line = try receive(slow) { last = line }
        #expect(last?.hasPrefix("999 ") != true, "the rest of the answer is not sent any more")
        try quick.send(Array("x".utf8))
        #expect(try receive(quick) == "x", "and nobody else has noticed")
        #expect(evicted.peers.count == 1)
        server.stop()
    }

    /// Each byte that it sent counted as a sign that it reads.
    @Test func aClientThatTalksOnAndReadsNothingIsCutOffToo() throws {
        let server = try server(ControlLimits(outputBytes: 4 << 20, stallMilliseconds: 300))
        let slow = FileDescriptor(owning: clinux_unix_socket(Int32(CLINUX_STREAM), 1))
        #expect(clinux_unix_connect(slow.raw, path) == 0)
        #expect(clinux_send(slow.raw, "much\n", 5) == 5)
        try waitUntil("its end though it talks") {
            _ = clinux_send(slow.raw, "n", 1)
            return !evicted.peers.isEmpty
        }
        server.stop()
    }
}

/// What was heard, in its order.
private final class Heard: Sendable {
    private let all = Mutex<[String]>([])
    var lines: [String] { all.withLock { $0 } }
    func add(_ line: String) { all.withLock { $0.append(line) } }
}

/// Who was cut off.
private final class Evicted: Sendable {
    private let all = Mutex<[ControlPeer]>([])
    var peers: [ControlPeer] { all.withLock { $0 } }
    func add(_ peer: ControlPeer) { all.withLock { $0.append(peer) } }
}
