import Glibc
import ReaderProtocol
import VirtualPhone

/// A gate's PN532: how soon a phone is spoken to, what is added to the times of bytes, what polling costs, and how soon a chip that has
/// failed is back. The chip is virtual; its bytes take the time that they take at 115,200 baud and 106 kbit/s. Between it and the gate are
/// the real libnfc and the real program.
struct ChipBenchmark {
    let gate: InProcessGate
    let programs: TestedPrograms
    let folder: String
    /// Taps of each kind.
    let taps: Int
    let report: Report

    private var idleMilliseconds: Int32 { report.extent.of(10_000, short: 1000) }

    func run() throws {
        try Folder.make(folder)
        let program = try NFCProgram(programs, socket: "\(folder)/nfc.sock")
        defer { program.stop() }
        let stand = try ChipStand(gate, timing: .bytes(), folder: folder, comparing: true)
        try stand.start(socket: program.socket, device: "\(folder)/pn532")
        defer { stand.stop() }
        report.note("a PN532: \(taps) taps of each kind")
        // The gate learns the tokens that are named by reference later.
        try tap("by-value", gate.byValue, stand)
        try tap("by-reference", gate.byReference, stand)
        try tap("enrolled", gate.enrolled, stand)
        try idle(stand, program.servers)
        try ChipRecoveryBenchmark(stand: stand, servers: program.servers, device: "\(folder)/pn532", report: report).run()
    }

    // Taps --------------------------------------------------------------------------------------

    private var warmUp: Int { report.extent.of(5, short: 1) }

    private func tap(_ way: String, _ phones: [PhoneCard], _ stand: ChipStand) throws {
        let count = taps + warmUp
        stand.air.forget()
        stand.state.withLock { state in
            state.taps = []
            // The same ones in the same order for each way: the gate knows whom it has seen.
            state.queue = (0..<count).map { phones[$0 % phones.count] }.reversed()
        }
        stand.present()
        let done = try stand.wait("taps \(way)") { $0.taps.count >= count || $0.refused > 0 ? $0.taps : nil }
        guard done.count >= count else { throw BenchError("a tap at a PN532 was not granted: \(way)") }
        guard done.allSatisfy({ $0.bare != nil && $0.toSelect != nil }) else { throw BenchError("libnfc was answered otherwise than the gate: \(way)") }
        try stand.clear()
        record(way, done.dropFirst(warmUp))
    }

    private func record(_ way: String, _ taps: ArraySlice<ChipTap>) {
        record("chip-to-select-\(way)", taps, largest: 50) { $0.toSelect }
        record("chip-share-\(way)", taps, median: 3) { $0.share }
        record("chip-share-to-relay-\(way)", taps) { $0.shareToRelay }
        record("chip-share-\(way)-journal-wait", taps) { $0.waited }
        record("chip-tap-\(way)", taps) { $0.whole }
        var ratio = Samples()
        for tap in taps { ratio.add(tap.ratio ?? 0) }
        report.add("chip-tap-\(way)-over-bytes", ratio.median, "times", bar: 1.3)
    }

    /// In milliseconds, with the bars of the median and of the largest.
    private func record(_ name: String, _ taps: ArraySlice<ChipTap>, median: Double? = nil, largest: Double? = nil, _ value: (ChipTap) -> Int64?) {
        var samples = Samples()
        for tap in taps { samples.add(Double(value(tap) ?? 0) / 1e6) }
        report.add("\(name)-p50", samples.median, "ms", bar: median)
        report.add("\(name)-p99", samples.quantile(0.99), "ms")
        if let largest { report.add("\(name)-largest", samples.largest, "ms", bar: largest) }
    }

    // Nobody there ------------------------------------------------------------------------------

    private func idle(_ stand: ChipStand, _ servers: NFCProgram.Servers) throws {
        report.note("a PN532 looks for phones for \(idleMilliseconds / 1000) s")
        let own = ProcessFacts(identifier: getpid())
        stand.air.forget()
        let (program, thread, began) = (servers.processorTime, own.processorTime(ofThreads: ChipStand.thread), Clock.now)
        Clock.pause(milliseconds: idleMilliseconds)
        let (after, threadAfter) = (servers.processorTime, own.processorTime(ofThreads: ChipStand.thread))
        let share = 100 / Double(Clock.now - began)
        let (ofProgram, ofThread) = (Double(after - program) * share, Double(threadAfter - thread) * share)
        report.add("chip-idle-program", ofProgram, "%")
        report.add("chip-idle-gate", ofThread, "%")
        report.add("chip-idle-processor", ofProgram + ofThread, "%", bar: 1)
        try record(Rhythm(stand.air.all))
    }

    private func record(_ rhythm: Rhythm) throws {
        guard rhythm.cycles.count > 1 else { throw BenchError("a PN532 does not look for phones") }
        report.add("chip-cycle-p50", rhythm.cycles.median, "ms")
        report.add("chip-cycle-mean", rhythm.meanMilliseconds.rounded(), "ms", bar: 200)
        report.add("chip-cycle-largest", rhythm.cycles.largest, "ms")
        report.add("chip-cycle-field-on-p50", rhythm.lit.median, "ms")
        report.add("chip-cycle-odd", Double(rhythm.odd), "cycles", bar: 0)
    }
}
