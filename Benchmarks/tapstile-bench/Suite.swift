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
        if wants("office"), !options.isLong {
            try OfficeBenchmark(folder: "\(folder)/office", programs: options.programs, enrolled: options.enrolled, report: report).run()
        }
        // It needs no gate and no site of one.
        if options.selected == ["office"] { return }
        let site = try BenchSite(folder: folder, cache: options.cache, enrolled: options.enrolled,
                                 revocations: options.revocations, memberships: options.memberships, report: report)
        if options.isLong { return try last(site) }
        let reader = try PrivateReader(script: options.pcscd, folder: "\(folder)/pcscd")
        defer { reader.stop() }
        // Bundles bring everybody themselves.
        if options.selected != ["sync"] {
            try DaemonBenchmark(site: site, programs: options.programs, report: report, starts: 10, onlyImport: !wants("daemon")).run()
        }
        try inProcess(site, reader)
        if wants("endurance") {
            try EnduranceBenchmark(site: site, programs: options.programs, reader: reader, taps: options.endurance, report: report).run()
        }
    }

    /// What lasts long.
    private func last(_ site: BenchSite) throws {
        if let taps = options.soak { try SoakBenchmark(site: site, taps: taps, warmUp: options.warmUp, report: report).run() }
        if let kills = options.kills { try kill(kills, site) }
        if let minutes = options.polling {
            try PollingSoak(folder: site.path("polling"), programs: options.programs, minutes: minutes, report: report).run()
        }
    }

    private func kill(_ kills: Int, _ site: BenchSite) throws {
        do {
            let gate = try InProcessGate(site)
            defer { gate.stop() }
            if options.soak == nil { try gate.take(site.publication, version: 1, at: site.path("publication-1")) }
            try KillSoak(gate: gate, programs: options.programs, folder: site.path("killed"), kills: kills, report: report).run()
        }
        let faults = try JournalWalk.faults(in: site.path("state"))
        for fault in faults { report.note(fault) }
        report.add("kill-journal-faults", Double(faults.count), "faults", bar: 0)
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
        if wants("reader-chip") {
            try ChipBenchmark(gate: gate, programs: options.programs, folder: site.path("chip"), taps: max(10, options.taps / 40), report: report).run()
        }
        if wants("import") {
            let file = site.path("publication-2")
            try site.publication.assemble(version: 2, at: file)
            try ImportBenchmark(gate: gate, publication: file, report: report).run()
        }
        // Last: from then on the gate's data come from a repository.
        if wants("sync") { try SyncBenchmark(gate: gate, site: site, bundles: try bundles(site), taps: options.taps, report: report).run() }
    }

    private func bundles(_ site: BenchSite) throws -> BundleFiles {
        try BundleFiles(cache: options.cache, enrolled: options.enrolled, revocations: options.revocations, memberships: options.memberships,
                        keys: site.keys, report: report)
    }

    private func wants(_ part: String) -> Bool { options.selected.contains(part) }
}
