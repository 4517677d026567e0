import Controller
import Service

/// Taps one after another, at the pace of phones, while a folder with the whole site is brought
/// beside them.
struct ImportBenchmark {
    let gate: InProcessGate
    let folder: String
    let report: Report

    func run() throws {
        report.note("decisions while a folder with everybody is brought")
        var quiet = Samples()
        for round in 0..<report.extent.of(100, short: 4) { quiet.add(nanoseconds: try tap(round).decision) }
        let worker = try Applying(controller: gate.controller, folder: folder)
        var (whole, own, waits) = (Samples(), Samples(), Samples())
        let deadline = Clock.now + Patience.whole
        while !worker.hasEnded {
            guard Clock.now < deadline else { throw BenchError("the folder was not taken in time") }
            let result = try tap(whole.count)
            whole.add(nanoseconds: result.decision)
            own.add(nanoseconds: result.decision - result.waited)
            waits.add(nanoseconds: result.waited)
        }
        record(quiet, whole, own, waits, took: try worker.finish())
    }

    private func tap(_ round: Int) throws(BenchError) -> TapWatch.Result {
        let cards = round % 2 == 0 ? gate.byValue : gate.enrolled
        return try gate.tap(cards[round / 2 % cards.count], pace: .phone)
    }

    private func record(_ quiet: Samples, _ whole: Samples, _ own: Samples, _ waits: Samples, took: Double) {
        report.add("import-beside-taps", took, "s", bar: 15)
        report.add("import-taps", Double(whole.count), "taps")
        report.add("import-decision-delay-largest", whole.largest - quiet.median, "us", bar: 5000)
        report.add("import-decision-p50", whole.median, "us")
        report.add("import-decision-p99", whole.quantile(0.99), "us")
        report.add("import-decision-largest", whole.largest, "us")
        report.add("import-decision-without-journal-largest", own.largest, "us")
        report.add("import-journal-wait-largest", waits.largest, "us")
    }
}
