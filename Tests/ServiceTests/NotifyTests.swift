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

    func next() throws -> [String] {
        try waitForInput(socket.raw, "what systemd is told")
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = max(0, clinux_receive(socket.raw, &bytes, bytes.count))
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
