/// What a gate holds after very many taps, most of them granted and the others ended in every way in
/// which a tap can end: memory, descriptors, threads, journal. The phones are in the same process.
struct SoakBenchmark {
    /// Taps until caches and both rings of the journal are full: the larger one keeps 100,000 records of attempts. With
    /// fewer, growth of the memory is only printed.
    static let fullWarmUp = 120_000

    /// What goes before so many taps where nobody says otherwise: whoever wants a short run has no patience for all of it.
    static func warmUp(before taps: Int) -> Int { taps >= fullWarmUp ? fullWarmUp : max(1, taps / 5) }

    /// Enough to keep two processors busy while commits are waited for.
    private static let threads = 8
    private static let rounds = 50

    let site: BenchSite
    let taps: Int
    let warmUp: Int
    let report: Report

    func run() throws {
        let folder = site.path("stick")
        try site.repository.write(version: 1, to: folder)
        let gate = try SoakGate(site)
        let tally = SoakTally(report: report)
        do {
            defer { gate.stop() }
            try gate.apply(folder)
            Folder.remove(folder)
            let crew = SoakCrew(lanes: gate.lanes, controller: gate.controller,
                                mix: SoakMix(book: site.phones, odd: try SoakPhones(site.keys, gates: site.phones.gates)), tally: tally)
            try crew.start(threads: Self.threads)
            defer { crew.stop() }
            try soak(gate, crew)
        }
        record(tally.now)
        let start = Clock.now
        let faults = try gate.faults()
        report.add("soak-journal-walk", Double(Clock.now - start) / 1e9, "s")
        for fault in faults { report.note(fault) }
        report.add("soak-journal-faults", Double(faults.count), "faults", bar: 0)
    }

    private func soak(_ gate: SoakGate, _ crew: SoakCrew) throws {
        report.note("soak: \(warmUp) taps to warm up, then \(taps)")
        try crew.tap(until: warmUp)
        let first = gate.sample
        let sequence = gate.journal("sequence")
        note(warmUp, first)
        var samples: [SoakSample] = []
        let start = Clock.now
        for round in 1...Self.rounds {
            let count = warmUp + taps * round / Self.rounds
            try crew.tap(until: count)
            let sample = gate.sample
            samples.append(sample)
            note(count, sample)
        }
        report.add("soak-taps", Double(taps), "taps")
        report.add("soak-pace", Double(taps) * 1e9 / Double(Clock.now - start), "taps/s")
        record(first, samples)
        record(gate, written: gate.journal("sequence") - sequence)
    }

    private func note(_ count: Int, _ sample: SoakSample) {
        report.note("\(count) taps: \((sample.memory * 100).rounded() / 100) MiB, \((sample.allocated * 1000).rounded() / 1000) of it allocated, "
            + "\(sample.descriptors) descriptors, \(sample.threads) threads, journal \((sample.journal * 100).rounded() / 100) MiB")
    }

    private func record(_ first: SoakSample, _ samples: [SoakSample]) {
        let last = samples.last ?? first
        let isWarm = warmUp >= Self.fullWarmUp
        report.add("soak-memory-before", first.memory, "MiB")
        report.add("soak-memory-after", last.memory, "MiB")
        report.add("soak-memory-largest", samples.map(\.memory).max() ?? 0, "MiB")
        report.add("soak-memory-growth", last.memory - first.memory, "MiB", bar: isWarm ? 1 : nil)
        report.add("soak-allocated-growth", last.allocated - first.allocated, "MiB")
        report.add("soak-descriptors", Double(last.descriptors), "descriptors")
        // The journal keeps one more from the first time on that it moves its log, some thousand taps after the start.
        report.add("soak-descriptors-growth", Double((samples.map(\.descriptors).max() ?? 0) - first.descriptors), "descriptors", bar: isWarm ? 0 : 1)
        report.add("soak-threads", Double(last.threads), "threads")
        report.add("soak-threads-growth", Double((samples.map(\.threads).max() ?? 0) - first.threads), "threads", bar: 0)
        report.add("soak-journal-size-largest", samples.map(\.journal).max() ?? 0, "MiB", bar: Self.largestJournal)
    }

    /// The rings hold 10,000 proven records and 100,000 others, each less than half a kibibyte; the log is moved into the
    /// database from 4 MiB on.
    private static let largestJournal = 64.0

    private func record(_ gate: SoakGate, written: Int) {
        report.add("soak-journal-records-written", Double(written), "records")
        report.add("soak-journal-records-kept", Double(gate.journal("records")), "records", bar: Double(SoakGate.ring + 256))
        report.add("soak-journal-records-lost", Double(gate.journal("lost")), "records", bar: 0)
    }

    /// Of a million taps on a machine that others use too, a hundred may find the disk or the processor busy.
    private func record(_ counts: SoakTally.Counts) {
        for (reason, count) in counts.reasons.sorted(by: { $0.key < $1.key }) { report.add("soak-\(reason)", Double(count), "taps") }
        report.add("soak-wrongly-granted", Double(counts.wronglyGranted), "taps", bar: 0)
        report.add("soak-unexpected", Double(counts.unexpected), "taps", bar: Double(taps / 10_000))
    }
}
