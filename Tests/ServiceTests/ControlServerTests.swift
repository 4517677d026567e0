import CLinux
import Files
import Foundation
@testable import Service
import Testing
import Threads
import Waits

@Suite("The control socket")
struct ControlServerTests {
    let folder: Folder
    var path: String { folder.file("c") }

    init() throws { folder = try Folder() }

    static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    static let notices = ControlNotices(overlong: bytes("too long"), busy: bytes("busy"),
                                        dropped: { bytes("dropped \($0)") })

    /// Answers every line with itself; some words do more.
    static func handle(_ peer: ControlPeer, _ line: [UInt8]) -> ControlReply {
        switch String(decoding: line, as: UTF8.self) {
        case "subscribe": .subscribe([bytes("subscribed")])
        case "bye": .close([bytes("bye")])
        case "who": .lines([bytes("\(peer.process) \(peer.user) \(peer.isRoot)")])
        case "much": .lines((0..<1000).map { bytes("\($0) " + String(repeating: "x", count: 1000)) })
        case "none": .lines([])
        default: .lines([line])
        }
    }

    func server(_ limits: ControlLimits = ControlLimits(), path: String? = nil,
                handler: @escaping @Sendable (ControlPeer, [UInt8]) -> ControlReply = Self.handle) throws -> ControlServer {
        try ControlServer(doors: [ControlDoor(path: path ?? self.path)], limits: limits, notices: Self.notices, handler: handler)
    }

    func ask(_ client: ControlClient, _ text: String) throws -> String? {
        try client.send(Self.bytes(text))
        return try text == "none" ? "" : receive(client)
    }

    func receive(_ client: ControlClient, fileID: String = #fileID, line: Int = #line) throws -> String? {
        do {
            let bytes = try client.receive(withinMilliseconds: Int64(WaitLimit.milliseconds))
            return bytes.map { String(decoding: $0, as: UTF8.self) }
        } catch {
            guard error == .timedOut else { throw error }
            throw WaitedInVain("a line from the server", instead: "", fileID: fileID, line: line)
        }
    }

    @Test("Lines are answered in order, also many at once")
    func answers() throws {
        let server = try server()
        let client = try ControlClient(path: path)
        for number in 0..<500 { try client.send(Self.bytes("line \(number)")) }
        for number in 0..<500 { #expect(try receive(client) == "line \(number)") }
        #expect(try ask(client, "none") == "")
        #expect(try ask(client, "more") == "more")
        server.stop()
        #expect(try receive(client) == nil)
    }

    /// A daemon that lives and does not hear would stay so until somebody comes.
    @Test("A server that cannot go on says so; one that is stopped says nothing")
    func failure() throws {
        let failures = Monitor<[SystemError]>([])
        let note: @Sendable (SystemError) -> Void = { failure in failures.change { $0.append(failure) } }
        let broken = try ControlServer(doors: [ControlDoor(path: path)], notices: Self.notices, onFailure: note, waiting: { _, _ throws(SystemError) in
            // What the kernel does not wait with: a descriptor that is no epoll.
            FileDescriptor(owning: open("/dev/null", O_RDONLY | O_CLOEXEC))
        }, handler: Self.handle)
        let failure = try failures.wait(for: "the server to say so") { $0.first }
        #expect(failure == SystemError("wait for the control socket", EINVAL))
        broken.stop()
        let sound = try ControlServer(doors: [ControlDoor(path: path)], notices: Self.notices, onFailure: note, handler: Self.handle)
        sound.stop()
        #expect(failures.withLock { $0.count } == 1)
    }

    @Test("The handler knows who asks")
    func peers() throws {
        let server = try server()
        let client = try ControlClient(path: path)
        #expect(try ask(client, "who") == "\(getpid()) \(getuid()) \(getuid() == 0)")
        server.stop()
        let peer = ControlPeer(connection: 1, process: 2, user: 3, group: 4, groups: [5, 6])
        #expect(peer.belongs(toGroup: 4) && peer.belongs(toGroup: 6) && !peer.belongs(toGroup: 7) && !peer.isRoot)
    }

    @Test("The file has the mode it was given, and goes with the server")
    func mode() throws {
        let server = try server()
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o660)
        server.stop()
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(throws: ControlClientError.notRunning(path: path)) { try ControlClient(path: path) }
    }

    @Test("A leftover socket is replaced; one that is served, a file and an unknown group are refused")
    func taking() throws {
        let left = FileDescriptor(owning: clinux_unix_socket(Int32(CLINUX_STREAM), 1))
        #expect(clinux_unix_bind(left.raw, path) == 0)
        let first = try server()
        #expect(throws: ControlServerError.alreadyServed(path: path)) { try server() }
        #expect(try ask(ControlClient(path: path), "still") == "still")
        first.stop()
        let file = folder.file("file")
        try Data([1]).write(to: URL(fileURLWithPath: file))
        #expect(throws: ControlServerError.notASocket(path: file)) { try server(path: file) }
        #expect(FileManager.default.fileExists(atPath: file))
        #expect(throws: ControlServerError.unknownGroup(name: "no-such-group")) {
            try ControlServer(doors: [ControlDoor(path: path, group: "no-such-group")], notices: Self.notices, handler: Self.handle)
        }
        let long = folder.file(String(repeating: "l", count: 200))
        #expect(throws: ControlServerError.failed(SystemError("bind \(long)", ENAMETOOLONG))) { try server(path: long) }
    }

    @Test("Subscribers get every event, others none")
    func events() throws {
        let server = try server()
        let (first, second, other) = try (ControlClient(path: path), ControlClient(path: path), ControlClient(path: path))
        #expect(try ask(first, "subscribe") == "subscribed")
        #expect(try ask(second, "subscribe") == "subscribed")
        #expect(try ask(other, "x") == "x")
        for number in 0..<100 { server.broadcast(Self.bytes("event \(number)")) }
        for number in 0..<100 {
            #expect(try receive(first) == "event \(number)")
            #expect(try receive(second) == "event \(number)")
        }
        #expect(try ask(other, "y") == "y")
        server.stop()
        #expect(try receive(first) == nil)
    }

    @Test("While nobody has subscribed nobody makes events, and the answer to whoever subscribes comes after they are made")
    func whoeverHasSubscribedIsHeard() throws {
        let server = try server()
        do {
            let second = try ControlClient(path: path)
            do {
                let first = try ControlClient(path: path)
                #expect(try ask(first, "anything") == "anything")
                #expect(!server.isHeard)
                #expect(try ask(first, "subscribe") == "subscribed")
                #expect(server.isHeard)
                #expect(try ask(second, "subscribe") == "subscribed")
            }
            #expect(try ask(ControlClient(path: path), "line") == "line")
            #expect(server.isHeard)
        }
        try waitUntil("nobody hears events") { !server.isHeard }
        server.stop()
    }

    @Test("A subscriber that does not read holds nobody up and is told how much it missed")
    func slowSubscriber() throws {
        let server = try server(ControlLimits(outputBytes: 8192, events: 100_000))
        let (slow, quick) = try (ControlClient(path: path), ControlClient(path: path))
        #expect(try ask(slow, "subscribe") == "subscribed")
        let padding = String(repeating: "p", count: 990)
        let total = 5000 // 5 MB: far more than the socket and the buffer hold
        for number in 0..<total { server.broadcast(Self.bytes("\(number) \(padding)")) }
        // Served while the other one is stuck.
        #expect(try ask(quick, "x") == "x")
        server.broadcast(Self.bytes("last"))
        #expect(try ask(quick, "y") == "y")
        var received = 0
        var dropped = 0
        while received + dropped < total + 1 {
            let line = try #require(try receive(slow))
            if line.hasPrefix("dropped ") { dropped += Int(line.dropFirst(8)) ?? 0 } else { received += 1 }
        }
        #expect(dropped > 0)
        #expect(received > 0)
        #expect(received + dropped == total + 1)
        server.broadcast(Self.bytes("after the gap"))
        #expect(try receive(slow) == "after the gap")
        server.stop()
    }

    @Test("Events beyond the mailbox are counted for every subscriber")
    func fullMailbox() throws {
        let held = Monitor(true)
        let entered = Monitor(false)
        let server = try server(ControlLimits(events: 10)) { peer, line in
            if line == Self.bytes("hold") {
                entered.change { $0 = true }
                held.hold("the handler") { $0 }
            }
            return Self.handle(peer, line)
        }
        let (subscriber, holder) = try (ControlClient(path: path), ControlClient(path: path))
        #expect(try ask(subscriber, "subscribe") == "subscribed")
        try holder.send(Self.bytes("hold"))
        try entered.wait(for: "the handler to be held up") { $0 ? () : nil }
        for number in 0..<15 { server.broadcast(Self.bytes("event \(number)")) }
        held.change { $0 = false }
        for number in 0..<10 { #expect(try receive(subscriber) == "event \(number)") }
        #expect(try receive(subscriber) == "dropped 5")
        server.stop()
    }

    @Test("A client that asks for much and reads nothing is not heard until it reads; all its answers come")
    func greedy() throws {
        let heard = Monitor(0)
        let server = try server(ControlLimits(outputBytes: 8192)) { peer, line in
            if line == Self.bytes("much") { heard.change { $0 += 1 } }
            return Self.handle(peer, line)
        }
        let (greedy, other) = try (ControlClient(path: path), ControlClient(path: path))
        for _ in 0..<20 { try greedy.send(Self.bytes("much")) }
        try heard.wait(for: "the first of what was asked") { $0 > 0 ? () : nil }
        for _ in 0..<20 { #expect(try ask(other, "x") == "x") }
        #expect(heard.withLock { $0 } < 20)
        for _ in 0..<20 {
            for number in 0..<1000 { #expect(try receive(greedy)?.hasPrefix("\(number) ") == true) }
        }
        #expect(try ask(greedy, "end") == "end")
        server.stop()
    }

    @Test("A line too long ends the connection with a word, and only this one")
    func overlong() throws {
        let server = try server(ControlLimits(lineBytes: 100))
        let (hostile, other) = try (ControlClient(path: path), ControlClient(path: path))
        #expect(try ask(hostile, String(repeating: "z", count: 100)) == String(repeating: "z", count: 100))
        try hostile.send(Self.bytes(String(repeating: "z", count: 101)))
        #expect(try receive(hostile) == "too long")
        #expect(try receive(hostile) == nil)
        #expect(try ask(other, "x") == "x")
        server.stop()
    }

    @Test("Long work holds up its own client only, and keeps its order")
    func work() throws {
        let held = Monitor(true)
        let server = try server { peer, line in
            guard line == Self.bytes("work") else { return Self.handle(peer, line) }
            return .work {
                held.hold("the handler") { $0 }
                return [Self.bytes("worked"), Self.bytes("done")]
            }
        }
        let (worker, other) = try (ControlClient(path: path), ControlClient(path: path))
        try worker.send(Self.bytes("work"))
        try worker.send(Self.bytes("after"))
        #expect(try ask(other, "x") == "x")
        #expect(throws: ControlClientError.timedOut) { try worker.receive(withinMilliseconds: 0) }
        held.change { $0 = false }
        #expect(try receive(worker) == "worked")
        #expect(try receive(worker) == "done")
        #expect(try receive(worker) == "after")
        server.stop()
    }

    @Test("A client that leaves during its work is forgotten")
    func leaves() throws {
        let held = Monitor(true)
        let begun = Monitor(false)
        let server = try server { peer, line in
            guard line == Self.bytes("work") else { return Self.handle(peer, line) }
            return .work {
                begun.change { $0 = true }
                held.hold("the handler") { $0 }
                return [Self.bytes("worked")]
            }
        }
        try ControlClient(path: path).send(Self.bytes("work"))
        try begun.wait(for: "the work to begin") { $0 ? () : nil }
        held.change { $0 = false }
        #expect(try ask(ControlClient(path: path), "x") == "x")
        server.stop()
    }

    @Test("Half a line, a closed half, a sudden end: the others notice nothing")
    func rude() throws {
        let server = try server()
        for _ in 0..<50 {
            let raw = FileDescriptor(owning: clinux_unix_socket(Int32(CLINUX_STREAM), 1))
            #expect(clinux_unix_connect(raw.raw, path) == 0)
            #expect(clinux_send(raw.raw, "half", 4) == 4)
        }
        let raw = FileDescriptor(owning: clinux_unix_socket(Int32(CLINUX_STREAM), 1))
        #expect(clinux_unix_connect(raw.raw, path) == 0)
        #expect(clinux_send(raw.raw, "whole\nhalf", 10) == 10)
        shutdown(raw.raw, Int32(SHUT_WR))
        var answer = [UInt8](repeating: 0, count: 100)
        var got: [UInt8] = []
        try waitForInput(raw.raw, "the answer to the whole line")
        while case let count = clinux_receive(raw.raw, &answer, answer.count), count > 0 {
            got += answer[..<count]
            try waitForInput(raw.raw, "the server to hang up")
        }
        #expect(got == Self.bytes("whole\n"))
        #expect(try ask(ControlClient(path: path), "x") == "x")
        server.stop()
    }

    @Test("When all places are taken the newcomer is told so; one who idles makes room")
    func places() throws {
        let full = try server(ControlLimits(clients: 2, keptForRoot: 0, idleMilliseconds: .max))
        let (first, second) = try (ControlClient(path: path), ControlClient(path: path))
        #expect(try ask(first, "a") == "a")
        #expect(try ask(second, "b") == "b")
        let third = try ControlClient(path: path)
        #expect(try receive(third) == "busy")
        #expect(try receive(third) == nil)
        #expect(try ask(first, "c") == "c")
        full.stop()

        let patient = try server(ControlLimits(clients: 2, keptForRoot: 0, idleMilliseconds: 0))
        let subscriber = try ControlClient(path: path)
        #expect(try ask(subscriber, "subscribe") == "subscribed")
        let idle = try ControlClient(path: path)
        #expect(try ask(idle, "a") == "a")
        let newcomer = try ControlClient(path: path)
        #expect(try ask(newcomer, "n") == "n")
        #expect(try receive(idle) == nil)
        patient.broadcast(Self.bytes("event"))
        #expect(try receive(subscriber) == "event")
        patient.stop()
    }

    @Test("A conversation can be ended by the server")
    func bye() throws {
        let server = try server()
        let client = try ControlClient(path: path)
        #expect(try ask(client, "bye") == "bye")
        #expect(try receive(client) == nil)
        server.stop()
    }

    @Test("What was broadcast before the end still arrives")
    func lastWords() throws {
        let server = try server()
        let client = try ControlClient(path: path)
        #expect(try ask(client, "subscribe") == "subscribed")
        server.broadcast(Self.bytes("stopping"))
        server.stop()
        #expect(try receive(client) == "stopping")
        #expect(try receive(client) == nil)
    }
}
