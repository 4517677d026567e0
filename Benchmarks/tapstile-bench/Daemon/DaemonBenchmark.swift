import ControlProtocol
import Glibc
import Service

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

    /// A publication through the control socket of a running daemon.
    private func importing() throws {
        report.note("importing the publication into tapstiled")
        try site.publication.assemble(version: 1, at: site.path("publication-1"))
        let (daemon, _) = try start()
        let facts = ProcessFacts(identifier: daemon.identifier)
        let start = Clock.now
        try ask(.importPublication, file: site.path("publication-1"))
        report.add("import-tapstiled", Double(Clock.now - start) / 1e9, "s", bar: 15)
        report.add("import-tapstiled-peak-memory", facts.peak, "MiB")
        report.add("import-tapstiled-memory-after", facts.resident, "MiB", bar: 24)
        try daemon.end()
        unlink(site.path("publication-1"))
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

    private func ask(_ operation: ControlOperation, file path: String) throws {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw BenchError("cannot read \(path)") }
        defer { close(file) }
        let client = try ControlClient(path: site.path("control"))
        try client.send(ControlRequest(id: 1, operation: operation).line, file: file)
        let deadline = Clock.now + Patience.whole
        while let line = try client.receive(withinMilliseconds: max(0, deadline - Clock.now) / 1_000_000) {
            let response = try ControlResponse(parsing: line)
            guard response.id == 1 else { continue }
            _ = try response.result.get()
            return
        }
        throw BenchError("tapstiled closed the control socket")
    }
}
