import CommandLineOptions
import Glibc
import Service

/// All parts, in the order in which each leaves behind what the next one needs.
struct Suite {
    let options: BenchOptions
    let report: Report

    func run() throws {
        let folder = try Folder.makeTemporary(in: options.folder)
        defer { Folder.remove(folder) }
        // Signals are blocked, so that ^C would do nothing. What was started is in our process group and hears it too.
        let signals = try SignalWatch { _ in
            Folder.remove(folder)
            _exit(ExitStatus.failure.rawValue)
        }
        defer { signals.stop() }
        if Folder.isInMemory(folder) {
            report.note("warning: \(options.folder) lies in memory; the journal's numbers mean nothing. Name a real disk with --dir")
        }
        // Where SQLite sorts: beside the state, as in the daemon's unit.
        setenv("SQLITE_TMPDIR", folder, 1)
        let site = try BenchSite(folder: folder, cache: options.cache, enrolled: options.enrolled,
                                 revocations: options.revocations, memberships: options.memberships, report: report)
        if let taps = options.soak {
            return try SoakBenchmark(site: site, taps: taps, warmUp: options.warmUp, report: report).run()
        }
        let reader = try PrivateReader(script: options.pcscd, folder: "\(folder)/pcscd")
        defer { reader.stop() }
        try DaemonBenchmark(site: site, programs: options.programs, report: report, starts: 10,
                            onlyImport: !wants("daemon")).run()
        try inProcess(site, reader)
        if wants("endurance") {
            try EnduranceBenchmark(site: site, programs: options.programs, reader: reader, taps: options.endurance, report: report).run()
        }
    }

    private func inProcess(_ site: BenchSite, _ reader: PrivateReader) throws {
        if wants("decision") { try TokenCacheBenchmark(site: site, report: report).run() }
        if wants("lights") { try LightsBenchmark(site: site, report: report).run() }
        if wants("load") { try LoadBenchmark(site: site, report: report).run() }
        if wants("ble") { try BluetoothBenchmark(site: site, taps: options.taps, report: report).run() }
        let gate = try InProcessGate(site)
        defer { gate.stop() }
        if wants("air") { try AirBenchmark(gate: gate, report: report).run() }
        if wants("decision") { try DecisionBenchmark(gate: gate, site: site, taps: options.taps, report: report).run() }
        if wants("reader") { try ShareBenchmark(gate: gate, reader: reader, taps: min(options.taps, 1000), report: report).run() }
        if wants("import") {
            let file = site.path("publication-2")
            try site.publication.assemble(version: 2, at: file)
            try ImportBenchmark(gate: gate, publication: file, report: report).run()
        }
    }

    private func wants(_ part: String) -> Bool { options.selected.contains(part) }
}
