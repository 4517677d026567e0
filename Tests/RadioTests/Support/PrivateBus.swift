import Foundation
import Glibc
import Waits

/// A dbus-daemon for one test only.
final class PrivateBus: @unchecked Sendable { // used by one test, one call at a time
    static let program = "/usr/bin/dbus-daemon"

    let address: String
    private let folder: URL
    private var process: Process?

    struct NotStarted: Error {}

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tb-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        address = "unix:path=\(folder.path)/bus"
        let policy = "<allow send_destination='*' eavesdrop='true'/><allow eavesdrop='true'/><allow own='*'/><allow user='*'/>"
        try """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig><type>session</type><listen>\(address)</listen><auth>EXTERNAL</auth>
            <policy context='default'>\(policy)</policy></busconfig>
            """.write(to: folder.appendingPathComponent("conf"), atomically: true, encoding: .utf8)
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Returns when it takes connections.
    func start() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.program)
        process.arguments = ["--config-file=\(folder.path)/conf", "--nofork", "--nopidfile", "--nosyslog", "--print-address=1"]
        let output = Pipe()
        process.standardOutput = output
        // Whoever reads what the tests say must not wait for the daemon.
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.process = process
        // It says where it listens once it does.
        try waitForInput(output.fileHandleForReading.fileDescriptor, "the bus to say where it listens")
        guard !output.fileHandleForReading.availableData.isEmpty else { throw NotStarted() }
    }

    /// As a crash would end it.
    func kill() {
        guard let process else { return }
        Glibc.kill(process.processIdentifier, SIGKILL)
        reportingWaits { try process.finish() }
        self.process = nil
        _ = unlink(folder.path + "/bus")
    }
}
