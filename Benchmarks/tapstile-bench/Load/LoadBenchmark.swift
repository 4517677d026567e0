import Configuration
import Controller
import Glibc
import Lines
import Service
import Threads
import VirtualPhone

/// What a busy gate costs: eight lanes with one tap a second each, all of them granted, for half a minute. The gate and its phones are in
/// this process, linked directly; what the phones compute is taken off, so that the rest is what the gate
/// needs: conversations, decisions, journal and checkpoints, relays and indicators.
struct LoadBenchmark {
    private static let lanes = 8
    /// Taps of each lane, one a second.
    private var rounds: Int { report.extent.of(30, short: 2) }
    private static let second: Int64 = 1_000_000_000

    let site: BenchSite
    let report: Report

    /// What the tapping threads found.
    private struct Tally: Sendable {
        var granted = 0
        /// Nanoseconds that phones and the making of phones took.
        var foreign: Int64 = 0
    }

    func run() throws {
        report.note("load: one tap a second at each of \(Self.lanes) lanes, \(rounds) s")
        try site.write(Array(site.configuration(lanes: Self.lanes).utf8), "load.toml")
        let loaded = try ConfigurationFile.load(path: site.path("load.toml"))
        let logs = try LogOutput(LogSettings(loaded.configuration.log))
        defer { logs.stop() }
        let controller = try Controller(
            loaded, path: site.path("load.toml"), bank: SimulatedLineBank(loaded.configuration.lanes.flatMap(LineRequest.all(of:))), logs: logs)
        defer { controller.stop() }
        try controller.start(withReaders: false)
        let tally = Mutex(Tally())
        controller.listen { event in
            if event.kind == .result, event.fields["result"]?.string == "granted" { tally.withLock { $0.granted += 1 } }
        }
        let facts = ProcessFacts(identifier: getpid())
        let before = (facts.written, facts.writes)
        let began = Clock.now, processor = Clock.processProcessor
        try tap(controller, from: began + Self.second, tally)
        let took = Clock.now - began, computed = Clock.processProcessor - processor
        let found = tally.withLock { $0 }
        guard found.granted == Self.lanes * rounds else {
            throw BenchError("only \(found.granted) of \(Self.lanes * rounds) taps were granted")
        }
        report.add("load-8-lanes-processor", Double(computed - found.foreign) / Double(took) * 100, "% of one core", bar: 10)
        report.add("load-8-lanes-per-tap", Double(computed - found.foreign) / Double(found.granted) / 1_000_000, "ms")
        // What the log holds goes to the database now: each tap's part of that is its own.
        controller.stop()
        report.add("tap-written", Double(facts.written - before.0) / Double(found.granted) / 1000, "kB", bar: 16)
        report.add("tap-writes", Double(facts.writes - before.1) / Double(found.granted), "calls")
        report.add("load-8-lanes-phones", Double(found.foreign) / Double(took) * 100, "% of one core")
    }

    /// Each lane on a thread of its own, as with readers; they begin an eighth of a second apart.
    private func tap(_ controller: Controller, from start: Int64, _ tally: borrowing Mutex<Tally>) throws {
        let foreign = Monitor<Int64>(0), rounds = rounds
        let workers = try (0..<Self.lanes).map { lane in
            let phone = site.phones.byValue[lane]
            return try Worker(name: "tapper-\(lane)") {
                for round in 0..<rounds {
                    Clock.sleep(until: start + Int64(round) * Self.second + Int64(lane) * Self.second / Int64(Self.lanes))
                    let before = Clock.threadProcessor
                    let link = ForeignTimeLink(PhoneLink(PhoneCard(NFCPhone(identity: phone)), watch: TapWatch(), pace: .phone))
                    let made = Clock.threadProcessor - before
                    _ = controller.present(link, at: BenchSite.reader(lane))
                    foreign.withLock { $0 += made + link.computed }
                }
            }
        }
        for worker in workers { worker.join() }
        tally.withLock { $0.foreign = foreign.withLock { $0 } }
    }
}
