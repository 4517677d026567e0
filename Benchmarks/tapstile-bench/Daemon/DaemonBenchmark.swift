import ControlProtocol
import Encoding
import Files
import Glibc
import RepositoryFolder
import Service
import Threads

/// The daemon itself, as a process: an import, starts, memory, idling.
struct DaemonBenchmark {
    let site: BenchSite
    let programs: TestedPrograms
    let report: Report
    /// The import alone, without which nobody is enrolled.
    let onlyImport: Bool

    private var starts: Int { report.extent.of(10, short: 2) }
    private var idleMilliseconds: Int32 { report.extent.of(10_000, short: 500) }

    func run() throws {
        try importing()
        guard !onlyImport else { return }
        try starting()
        try idling()
    }

    /// A folder with everybody, through the control socket of a running daemon.
    private func importing() throws {
        report.note("importing a folder into tapstiled")
        try site.repository.write(version: 1, to: site.path("stick"))
        let (daemon, _) = try start()
        let facts = ProcessFacts(identifier: daemon.identifier)
        let start = Clock.now
        try bring(site.path("stick"))
        report.add("import-tapstiled", Double(Clock.now - start) / 1e9, "s", bar: 15)
        report.add("import-tapstiled-peak-memory", facts.peak, "MiB")
        report.add("import-tapstiled-memory-after", facts.resident, "MiB", bar: 24)
        try daemon.end()
        Folder.remove(site.path("stick"))
    }

    private func starting() throws {
        report.note("\(starts) starts of tapstiled")
        var times = Samples()
        for _ in 0..<starts {
            let (daemon, took) = try start()
            times.add(Double(took) / 1e6)
            try daemon.end()
        }
        report.add("start-to-ready-p50", times.median, "ms", bar: 300)
        report.add("start-to-ready-largest", times.largest, "ms")
    }

    private func idling() throws {
        let (daemon, _) = try start()
        let facts = ProcessFacts(identifier: daemon.identifier)
        report.note("tapstiled idles for \(idleMilliseconds / 1000) s")
        Clock.pause(milliseconds: report.extent.of(2000, short: 200))
        let (before, began) = (facts.processorTime, Clock.now)
        Clock.pause(milliseconds: idleMilliseconds)
        report.add("idle-processor", Double(facts.processorTime - before) / Double(Clock.now - began) * 100, "%", bar: 0.5)
        report.add("memory-idle", facts.resident, "MiB", bar: 24)
        try daemon.end()
    }

    /// A daemon that is ready, and the nanoseconds that took from the call that started it.
    private func start() throws -> (ChildProcess, Int64) {
        let socket = try ReadySocket(path: site.path("notify"))
        let began = Clock.now
        let daemon = try ChildProcess([programs.daemon, "--config", site.path("gate.toml")],
                                      environment: ["NOTIFY_SOCKET": socket.path])
        return (daemon, try socket.waitUntilReady(daemon) - began)
    }

    /// As `tapstile import` does it.
    private func bring(_ path: String) throws {
        let client = try ControlClient(path: site.path("control"))
        let number = try handOver(path, client)
        let deadline = Clock.now + Patience.whole
        while case let answer = try ask(.followImport(number: number), client), answer["ended"]?.bool != true || answer["failure"] != nil {
            if let failure = answer["failure"] { throw BenchError("the folder was refused: \(failure["code"]?.string ?? "?")") }
            guard Clock.now < deadline else { throw BenchError("the folder was not taken in time") }
            Clock.pause(milliseconds: 10)
        }
    }

    private func handOver(_ path: String, _ client: ControlClient) throws -> UInt64 {
        let folder = try FileDescriptor(path: path, flags: O_RDONLY | O_DIRECTORY), pair = try SocketPair(), connection = pair.ours
        let answer = try ask(.importFolder, client, file: pair.theirs.raw)
        _ = try Worker(name: "folder") { FolderService(folder: folder, connection: connection).run() }
        return UInt64(answer["import"]?.integer ?? 0)
    }

    private func ask(_ operation: ControlOperation, _ client: ControlClient, file: Int32? = nil) throws -> JSON {
        try client.send(ControlRequest(id: 1, operation: operation).line, file: file)
        let deadline = Clock.now + Patience.whole
        while let line = try client.receive(withinMilliseconds: max(0, deadline - Clock.now) / 1_000_000) {
            let response = try ControlResponse(parsing: line)
            if response.id == 1 { return try response.result.get() }
        }
        throw BenchError("tapstiled closed the control socket")
    }
}
