import VirtualPhone

/// The gate's own share of a tap over Bluetooth: the time inside the calls of the radios' thread from the phone's first write to the
/// write of the relay line, with phones that take as long as real ones.
struct RadioShareBenchmark {
    let gate: RadioGate
    let phones: PhoneBook
    let taps: Int
    let report: Report

    private struct Times {
        var whole = Samples(), firstWrites = Samples(), decisions = Samples(), waits = Samples(), computed = Samples()

        mutating func add(_ tap: RadioGate.Share) {
            whole.add(nanoseconds: tap.whole)
            firstWrites.add(nanoseconds: tap.firstWrite)
            decisions.add(nanoseconds: tap.decision)
            waits.add(nanoseconds: tap.waited)
            computed.add(nanoseconds: tap.computed)
        }
    }

    func run() throws {
        report.note("share over Bluetooth: \(taps) taps of each kind at the pace of phones")
        let ways = [("by-value", phones.byValue), ("by-reference", phones.byReference), ("enrolled", phones.enrolled)]
        var times = ways.map { _ in Times() }
        for round in 0..<taps {
            for (index, way) in ways.enumerated() { times[index].add(try gate.tap(way.1[round % way.1.count], pace: .phone)) }
        }
        for (way, times) in zip(ways, times) { record("ble-share-\(way.0)", times) }
    }

    private func record(_ name: String, _ times: Times) {
        record(name, times.whole, bar: 5000)
        record("\(name)-first-write", times.firstWrites)
        record("\(name)-decision", times.decisions)
        record("\(name)-journal-wait", times.waits)
        record("\(name)-processor", times.computed)
    }

    /// `bar` is that of the 99th percentile.
    private func record(_ name: String, _ samples: Samples, bar: Double? = nil) {
        report.add("\(name)-p50", samples.median, "us")
        report.add("\(name)-p99", samples.quantile(0.99), "us", bar: bar)
    }
}
