import Encoding
import Foundation
import Glibc
import Waits

/// A program in a process of its own that talks to the chip through libnfc, and how it ended.
struct NFCProbe {
    let lines: [String]
    /// What it wrote to the standard error.
    let complaints: String
    /// nil when a signal ended it.
    let status: Int32?

    /// It did not come to its own end: a signal ended it, or a sanitizer that saw the same.
    var hasDied: Bool { lines.last != "end" && status != 0 }

    /// What was said for each step of that name.
    func output(_ step: String) -> [String] {
        lines.filter { $0 == step || $0.hasPrefix(step + " ") }.map { String($0.dropFirst(step.count + 1)) }
    }

    /// Tests/Victims/nfc-probe, with its steps.
    static func run(_ path: String, _ steps: [String]) throws -> NFCProbe {
        try run(program(), arguments(path, steps), environment: ["LIBNFC_LOG_LEVEL": "1"])
    }

    static func program() throws -> URL {
        let here = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(fileURLWithPath: here).deletingLastPathComponent().appendingPathComponent("nfc-probe")
    }

    static func arguments(_ path: String, _ steps: [String]) -> [String] { ["pn532_uart:\(path):115200"] + steps }

    /// Any program of this machine.
    static func run(_ program: URL, _ arguments: [String], environment: [String: String]) throws -> NFCProbe {
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let said = try process.finish(reading: [output, errors])
        let status = process.terminationReason == .exit ? process.terminationStatus : nil
        return NFCProbe(lines: said[0].split(separator: "\n").map(String.init), complaints: said[1], status: status)
    }
}

/// One that may be killed.
final class RunningProbe {
    private let process = Process()

    init(_ path: String, _ steps: [String]) throws {
        process.executableURL = try NFCProbe.program()
        process.arguments = NFCProbe.arguments(path, steps)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    func kill() throws {
        Glibc.kill(process.processIdentifier, SIGKILL)
        try process.finish()
    }
}

/// As nfc-probe takes and gives them.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    Hex.encode(bytes).uppercased()
}
