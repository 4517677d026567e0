import CLinux
import Files
import Foundation
@testable import Service
import Testing
import Threads
import Waits

/// The variables systemd sets belong to the whole process, so these tests follow one another.
@Suite("What systemd is told", .serialized)
struct NotifyTests {
    let folder: Folder
    let socket: FileDescriptor

    init() throws {
        folder = try Folder()
        socket = FileDescriptor(owning: try SystemError.check(clinux_unix_socket(Int32(CLINUX_DATAGRAM), 1), "socket"))
        _ = try SystemError.check(clinux_unix_bind(socket.raw, folder.file("notify")), "bind")
        setenv("NOTIFY_SOCKET", folder.file("notify"), 1)
    }

    func next(from listener: FileDescriptor? = nil) throws -> [String] {
        try waitForInput((listener ?? socket).raw, "what systemd is told")
        return try receive(from: listener)
    }

    /// What is there already; nothing where nothing is.
    func receive(from listener: FileDescriptor? = nil) throws -> [String] {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = max(0, clinux_try_receive((listener ?? socket).raw, &bytes, bytes.count))
        return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test("Ready, status, watchdog, end")
    func words() throws {
        Notify.ready(status: "2 lanes\nREADY=0")
        #expect(try next() == ["READY=1", "STATUS=2 lanes\\u{a}READY=0"])
        Notify.status("1 lane")
        #expect(try next() == ["STATUS=1 lane"])
        Notify.watchdog()
        #expect(try next() == ["WATCHDOG=1"])
        Notify.watchdogTrigger()
        #expect(try next() == ["WATCHDOG=trigger"])
        Notify.extendTimeout(milliseconds: 30_000)
        #expect(try next() == ["EXTEND_TIMEOUT_USEC=30000000"])
        Notify.stopping()
        #expect(try next() == ["STOPPING=1"])
    }

    @Test("A notify socket that nobody reads keeps nobody waiting")
    func aNotifySocketThatNobodyReads() throws {
        let most = try #require(Int(String(decoding: SmallFile.read("/proc/sys/net/unix/max_dgram_qlen"), as: UTF8.self).dropLast()))
        try inTime("the watchdog to be fed into a full queue") {
            for _ in 0...(most + 2) { Notify.watchdog() }
        }
        try inTime("the words of a stop") { Notify.stopping() }
        var kept: [[String]] = []
        while case let lines = try receive(), !lines.isEmpty { kept.append(lines) }
        #expect(!kept.isEmpty)
        #expect(kept.allSatisfy { $0 == ["WATCHDOG=1"] })
    }

    @Test("Words wait for room where somebody reads late")
    func wordsWaitForRoom() throws {
        let most = try #require(Int(String(decoding: SmallFile.read("/proc/sys/net/unix/max_dgram_qlen"), as: UTF8.self).dropLast()))
        for _ in 0...(most + 2) { Notify.watchdog() }
        // Several times: this thread may come late, too.
        let speaker = try Worker(name: "speaker") { for _ in 0..<20 { Notify.status("room") } }
        while try next() != ["STATUS=room"] {}
        try speaker.waitForEnd()
    }

    @Test("An abstract name is one, too")
    func anAbstractName() throws {
        let name = "@tapstile-notify-\(getpid())"
        let listener = FileDescriptor(owning: try SystemError.check(clinux_unix_socket(Int32(CLINUX_DATAGRAM), 1), "socket"))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: [0] + name.utf8.dropFirst()) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.utf8.count)
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener.raw, $0, length) }
        }
        #expect(bound == 0)
        setenv("NOTIFY_SOCKET", name, 1)
        Notify.stopping()
        #expect(try next(from: listener) == ["STOPPING=1"])
    }

    @Test("A reload says when it began")
    func reload() throws {
        let before = MonotonicTime.microseconds
        Notify.reloading()
        let lines = try next()
        #expect(lines.first == "RELOADING=1")
        let stamp = try #require(lines.last?.split(separator: "=").last.flatMap { Int64($0) })
        #expect(lines.last?.hasPrefix("MONOTONIC_USEC=") == true)
        #expect((before...MonotonicTime.microseconds).contains(stamp))
    }

    @Test("The watchdog is fed twice in its time, if there is one")
    func watchdog() {
        unsetenv("WATCHDOG_USEC")
        #expect(Notify.watchdogMilliseconds == nil)
        setenv("WATCHDOG_USEC", "30000000", 1)
        #expect(Notify.watchdogMilliseconds == 30_000)
        unsetenv("WATCHDOG_USEC")
    }
}
