import Files
import Glibc
import Service

/// A pcscd with the virtual reader, started by Tests/Support/private-pcscd. It has two slots.
final class PrivateReader {
    /// Where a card connects to the first slot; the second one is the next.
    let port: UInt16
    private let script: String
    private let folder: String

    init(script: String, folder: String) throws(BenchError) {
        self.script = script
        self.folder = folder
        let output = "\(folder).environment"
        let started = try ChildProcess(
            ["/bin/bash", script, "start", folder], environment: ["TAPSTILE_READER_NAME": BenchSite.readerName], output: output)
        guard try started.wait() == 0, let said = try? SmallFile.read(output) else { throw BenchError("pcscd did not start") }
        let lines = String(decoding: said, as: UTF8.self).split(separator: "\n")
        func value(_ name: String) -> String? {
            lines.first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) }
        }
        guard let socket = value("PCSCLITE_CSOCK_NAME"), let port = value("TAPSTILE_CARD_PORT").flatMap({ UInt16($0) }) else {
            throw BenchError("pcscd did not say where it is")
        }
        // Read by libpcsclite at its first call, here and in every child.
        setenv("PCSCLITE_CSOCK_NAME", socket, 1)
        self.port = port
    }

    deinit { stop() }

    func stop() {
        _ = try? ChildProcess(["/bin/bash", script, "stop", folder]).wait()
    }
}
