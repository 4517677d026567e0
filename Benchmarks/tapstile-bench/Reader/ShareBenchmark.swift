import Readers

/// The controller's own share of a tap over pcscd: the tap, less the same commands sent by a bare
/// SCard loop to a card that gives the same answers after the same time.
///
/// The tap runs in the first slot of the virtual reader: the real `PCSCReaders`, the real controller,
/// a phone that computes. Right after it, on the same thread, the bare loop runs in the second slot
/// with what was recorded. Both begin when the card is connected and end when OUTCOME is answered;
/// the tap also tells its result and makes the key for the next one.
struct ShareBenchmark {
    let gate: InProcessGate
    let reader: PrivateReader
    let taps: Int
    let report: Report

    private var warmUp: Int { report.extent.of(50, short: 2) }

    func run() throws {
        report.note("own share of a tap over pcscd: \(taps) taps, each with its bare loop")
        let rounds = try ShareRounds(gate: gate, reader: reader, count: warmUp + taps)
        let readers = PCSCReaders(
            bindings: [ReaderBinding(name: "entry", match: .name("\(BenchSite.readerName) 00 00"))],
            onPresentation: { _, link in rounds.present(link) }, onChange: { _, _ in })
        try readers.start()
        defer { readers.stop() }
        record(try rounds.wait().dropFirst(warmUp))
    }

    private func record(_ rounds: ArraySlice<ShareRounds.Round>) {
        record("tap-share", rounds, bars: (1000, 5000)) { $0.tap - $0.bare }
        record("tap-share-to-relay", rounds, bars: nil) { $0.relay - $0.bareToMessage3 }
        record("tap-share-journal-wait", rounds, bars: nil) { $0.waited }
        record("tap-over-pcscd", rounds, bars: nil) { $0.tap }
        record("tap-bare-loop", rounds, bars: nil) { $0.bare }
    }

    private func record(_ name: String, _ rounds: ArraySlice<ShareRounds.Round>, bars: (Double, Double)?,
                      _ value: (ShareRounds.Round) -> Int64) {
        var samples = Samples()
        for round in rounds { samples.add(nanoseconds: value(round)) }
        report.add("\(name)-p50", samples.median, "us", bar: bars?.0)
        report.add("\(name)-p99", samples.quantile(0.99), "us", bar: bars?.1)
    }
}
