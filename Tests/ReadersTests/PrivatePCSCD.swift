import Foundation
import Glibc
import Waits

/// A pcscd with the virtual reader, for the tests of this process only: Tests/Support/private-pcscd.
/// The library asks for the socket's name once, so that there is one folder for all tests.
struct PrivatePCSCD {
    static let readerName = "Tapstile Test Reader"

    private static let folder: String = {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("tapstile-pcscd-\(ProcessInfo.processInfo.processIdentifier)").path
        setenv("PCSCLITE_CSOCK_NAME", folder + "/run/pcscd.comm", 1)
        return folder
    }()

    private static let script = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Support/private-pcscd").path

    struct ScriptFailed: Error {
        let arguments: [String]
        let output: String
    }

    /// Where a card connects to the first slot; the second one is the next.
    private(set) var port: UInt16 = 0

    /// Nothing runs yet, but PC/SC in this process looks where it will.
    init() {
        _ = Self.folder
    }

    mutating func start(readerName: String = readerName, options: String = "") throws {
        let output = try Self.run("start", readerName, options)
        let port = output.split(separator: "\n").first { $0.hasPrefix("TAPSTILE_CARD_PORT=") }
        guard let port, let number = UInt16(port.drop { $0 != "=" }.dropFirst()) else {
            throw ScriptFailed(arguments: ["start"], output: output)
        }
        self.port = number
    }

    /// Stops the process as a debugger does, or lets it go on: it holds its connections and answers none.
    func hold(_ isHeld: Bool) throws {
        guard let process = pid_t(try String(contentsOfFile: Self.folder + "/pid", encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)),
              Glibc.kill(process, isHeld ? SIGSTOP : SIGCONT) == 0 else { throw ScriptFailed(arguments: ["hold"], output: "no process") }
    }

    func stop() throws { _ = try Self.run("stop") }
    func kill() throws { _ = try Self.run("kill") }

    func remove() throws {
        try stop()
        try? FileManager.default.removeItem(atPath: Self.folder)
    }

    private static func run(_ verb: String, _ readerName: String = readerName, _ options: String = "") throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: script)
        process.arguments = [verb, folder]
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["TAPSTILE_READER_NAME": readerName, "TAPSTILE_PCSCD_OPTIONS": options], uniquingKeysWith: { $1 })
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let said = try process.finish(reading: [output, errors])
        guard process.terminationStatus == 0 else { throw ScriptFailed(arguments: [verb], output: said.joined()) }
        return said[0]
    }
}
