import Foundation
import Glibc
import Waits

/// The built program tapstile-nfc with a socket of its own in a folder of its own.
final class ReaderProcess {
    private let process = Process()
    private let folder: URL
    /// Where the gate connects.
    let path: String

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("nfc-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appendingPathComponent("reader.sock").path
        process.executableURL = try Self.program()
        process.arguments = ["--listen", path]
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit {
        process.terminate()
        reportingWaits { try process.finish() }
        try? FileManager.default.removeItem(at: folder)
    }

    static func program() throws -> URL {
        let here = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(fileURLWithPath: here).deletingLastPathComponent().appendingPathComponent("tapstile-nfc")
    }

    /// A name for a port in its folder, with colons in it as udev's have.
    var link: String { folder.appendingPathComponent("usb-0:1.2:1.0-port0").path }

    /// The process that starts those that serve.
    var keeper: pid_t { process.processIdentifier }

    /// The process that serves the connection.
    var server: pid_t? { Self.server(of: keeper) }

    private static func server(of keeper: pid_t) -> pid_t? {
        let children = try? String(contentsOfFile: "/proc/\(keeper)/task/\(keeper)/children", encoding: .utf8)
        return children.flatMap { $0.split(separator: " ").first }.flatMap { pid_t($0) }
    }

    /// The open descriptors of the process that serves.
    var descriptors: Int? {
        server.flatMap { try? FileManager.default.contentsOfDirectory(atPath: "/proc/\($0)/fd").count }
    }

    func killServer() { Self.killServer(of: keeper) }

    static func killServer(of keeper: pid_t) {
        if let server = server(of: keeper) { kill(server, SIGKILL) }
    }

    /// Ends it as a person would, and says how it ended.
    func stop() throws -> Int32 {
        process.terminate()
        try process.finish()
        return process.terminationReason == .exit ? process.terminationStatus : -1
    }
}
