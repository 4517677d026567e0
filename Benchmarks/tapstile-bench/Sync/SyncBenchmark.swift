import Controller
import Credentials
import Glibc
import Service
import Storage
import Threads
import Vocabulary

/// Site data from a repository, applied while phones are tapped: the whole, and 10,000 changes. Then decisions upon the changes, and the memory that
/// both take in a process of their own.
struct SyncBenchmark {
    let gate: InProcessGate
    let site: BenchSite
    let bundles: BundleFiles
    let taps: Int
    let report: Report

    func run() throws {
        try memory()
        report.note("decisions while bundles are applied: \(Int(bundles.mebibytes("full"))) MiB whole, \(Int(bundles.mebibytes("changes") * 1024)) KiB of changes")
        let controller = gate.controller
        let (whole, changes) = (try bundles.update(version: 1), try bundles.update(version: 2))
        let (full, changed, part) = (try bundles.open("full"), try bundles.open("changes"), try bundles.open("site"))
        defer { for file in [full, changed, part] { close(file) } }
        // Whoever taps meanwhile must be known before.
        try Self.apply { () throws(ImportError) in _ = try controller.siteData.apply(full: full, changes: nil, site: part, whole, clock: Self.clock) }
        try gate.learnTokens()
        let whenFull = try beside("sync-full") { () throws(BenchError) in
            try Self.apply { () throws(ImportError) in
                _ = try controller.siteData.apply(full: full, changes: nil, site: part, whole, clock: Self.clock)
            }
        }
        whenFull.record(report, bar: 15, unit: "s", scale: 1)
        try decide("decision-upon-whole")
        let whenChanged = try beside("sync-changes") { () throws(BenchError) in
            try Self.apply { () throws(ImportError) in
                _ = try controller.siteData.apply(changes: changed, site: nil, changes, clock: Self.clock)
            }
        }
        whenChanged.record(report, bar: 500, unit: "ms", scale: 1000)
        try decide("decision-upon-changes")
    }

    private func decide(_ name: String) throws {
        try DecisionBenchmark(gate: gate, site: site, taps: taps / 2, report: report, prefix: name).run()
    }

    static var clock: ClockReading { ClockReading(seconds: UnixTime.now, trust: .synchronised) }

    private static func apply(_ body: () throws(ImportError) -> Void) throws(BenchError) {
        do throws(ImportError) {
            try body()
        } catch {
            throw BenchError("the bundles were refused: \(error.code): \(error.message)")
        }
    }

    /// What was measured beside one of the two.
    private struct Times {
        let name: String
        var quiet = Samples(), whole = Samples(), waits = Samples()
        var took = 0.0
        /// Seconds of its own thread.
        var processor = 0.0

        func record(_ report: Report, bar: Double, unit: String, scale: Double) {
            report.add(name, took * scale, unit, bar: bar)
            report.add("\(name)-processor", processor * scale, unit)
            report.add("\(name)-decision-delay-largest", whole.largest - quiet.median, "us", bar: 5000)
            report.add("\(name)-decision-p50", whole.median, "us")
            report.add("\(name)-journal-wait-largest", waits.largest, "us")
            report.add("\(name)-taps", Double(whole.count), "taps")
        }
    }

    private func beside(_ name: String, _ body: @escaping @Sendable () throws(BenchError) -> Void) throws -> Times {
        var times = Times(name: name)
        for round in 0..<report.extent.of(100, short: 4) { times.quiet.add(nanoseconds: try tap(round).decision) }
        let processor = Monitor(0.0)
        let worker = try Applying { () throws(BenchError) in try Self.asTheGate(processor, body) }
        let deadline = Clock.now + Patience.whole
        repeat {
            guard Clock.now < deadline else { throw BenchError("\(name) was not applied in time") }
            let result = try tap(times.whole.count)
            times.whole.add(nanoseconds: result.decision)
            times.waits.add(nanoseconds: result.waited)
        } while !worker.hasEnded
        times.took = try worker.finish()
        times.processor = processor.withLock { $0 }
        return times
    }

    /// A gate puts site data to use on a thread that gives way.
    private static func asTheGate(_ processor: Monitor<Double>, _ body: @escaping @Sendable () throws(BenchError) -> Void) throws(BenchError) {
        try BackgroundWork.run(name: "sync-data") {
            let result = Result { () throws(BenchError) in try body() }
            processor.withLock { $0 = Double(Clock.threadProcessor) / 1e9 }
            return result
        }.get()
    }

    private func tap(_ round: Int) throws(BenchError) -> TapWatch.Result {
        let cards = round % 2 == 0 ? gate.byValue : gate.enrolled
        return try gate.tap(cards[round / 2 % cards.count], pace: .phone)
    }

    /// The most memory that a process takes which does nothing else.
    private func memory() throws {
        let folder = site.path("synchronised"), output = site.path("synchronised-memory")
        try Folder.make(folder)
        defer { for path in [folder, output] { Folder.remove(path) } }
        let program = CommandLine.arguments[0]
        let child = try ChildProcess([program, "--apply", folder, bundles.folder], output: output)
        guard try child.wait() == 0 else { throw BenchError("the bundles could not be applied in a process of their own") }
        let words = try SyncProcess.read(output)
        report.add("sync-full-peak-memory", words.0, "MiB", bar: 64)
        report.add("sync-changes-peak-memory", words.1, "MiB", bar: 64)
    }
}
