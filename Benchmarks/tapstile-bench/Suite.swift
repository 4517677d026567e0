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
        if wants("invitations"), !options.isLong {
            try InvitationBenchmark(folder: "\(folder)/invitations", programs: options.programs, report: report).run()
        }
        // They need no gate and no site of one.
        if options.selected.isSubset(of: ["office", "invitations"]) { return }
        // What a short run makes is made at once, and tests what makes it, too.
        let cache = options.extent.of(options.cache, short: "\(folder)/cache")
        let site = try BenchSite(folder: folder, cache: cache, enrolled: options.enrolled,
                                 revocations: options.revocations, memberships: options.memberships, report: report)
        if options.isLong { return try last(site) }
        // Before anybody asks for pcscd: an idle gate has a reader, too.
        let reader = try PrivateReader(script: options.pcscd, folder: "\(folder)/pcscd")
        defer { reader.stop() }
        // Bundles bring everybody themselves.
        if options.selected != ["sync"] {
            try DaemonBenchmark(site: site, programs: options.programs, report: report, onlyImport: !wants("daemon")).run()
        }
        try parts(site, reader)
    }

    /// All others. Each has a folder of its own with the site data that the import has left: what one does to its gate's state
    /// is nothing to the next.
    private func parts(_ site: BenchSite, _ reader: PrivateReader) throws {
        if wants("decision") { try TokenCacheBenchmark(site: site, report: report).run() }
        if wants("indicators") { try IndicatorsBenchmark(site: site.part("indicators"), report: report).run() }
        if wants("load") { try LoadBenchmark(site: site.part("load"), report: report).run() }
        if wants("ble") { try BluetoothBenchmark(site: site.part("ble"), taps: options.taps, report: report).run() }
        try inProcess(site)
        if wants("reader") {
            try withGate(site.part("reader")) { gate, _ in
                try ShareBenchmark(gate: gate, reader: reader, taps: min(options.taps, 1000), report: report).run()
            }
        }
        if wants("endurance") {
            try EnduranceBenchmark(site: site.part("endurance"), programs: options.programs, reader: reader, taps: options.endurance,
                                   report: report).run()
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
            if options.soak == nil { try gate.apply(site.repository, version: 1, in: site.path("stick")) }
            try KillSoak(gate: gate, programs: options.programs, folder: site.path("killed"), kills: kills, report: report).run()
        }
        let faults = try JournalWalk.faults(in: site.path("state"))
        for fault in faults { report.note(fault) }
        report.add("kill-journal-faults", Double(faults.count), "faults", bar: 0)
    }

    /// What is tapped in this process, each on a gate of its own.
    private func inProcess(_ site: BenchSite) throws {
        if wants("air") { try withGate(site.part("air")) { gate, _ in try AirBenchmark(gate: gate, report: report).run() } }
        if wants("decision") {
            try withGate(site.part("decision")) { gate, site in
                try DecisionBenchmark(gate: gate, site: site, taps: options.taps, report: report).run()
                try DecisionBenchmark(gate: gate, site: site, taps: (options.taps + 3) / 4, report: report).runInOtherSuites()
            }
        }
        if wants("reader-chip") {
            try withGate(site.part("chip")) { gate, site in
                try ChipBenchmark(gate: gate, programs: options.programs, folder: site.path("chip"), taps: max(report.extent.of(10, short: 2), options.taps / 40),
                                  report: report).run()
            }
        }
        if wants("import") {
            try withGate(site.part("import")) { gate, site in
                let folder = site.path("stick")
                try site.repository.write(version: 2, to: folder)
                try ImportBenchmark(gate: gate, folder: folder, report: report).run()
            }
        }
        if wants("sync") {
            try withGate(site.part("sync")) { gate, site in
                try SyncBenchmark(gate: gate, site: site, bundles: site.repository.bundles, taps: options.taps, report: report).run()
            }
        }
    }

    /// What it does is over, and its folder gone, before the next part begins.
    private func withGate(_ site: BenchSite, _ body: (InProcessGate, BenchSite) throws -> Void) throws {
        defer { Folder.remove(site.folder) }
        let gate = try InProcessGate(site, phones: report.extent.of(PhoneBook.count, short: 16))
        defer { gate.stop() }
        try body(gate, site)
    }

    private func wants(_ part: String) -> Bool { options.selected.contains(part) }
}
