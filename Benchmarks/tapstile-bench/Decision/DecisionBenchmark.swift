import PhoneProtocol
import VirtualPhone

/// The decision: from the phone's last byte to the write of the relay line.
///
/// First with phones that answer at once, against the bare work of libcrypto for the same exchange.
/// Taps and bare runs alternate, and a bare run begins where a decision would: when the phone's last
/// byte is there. So both find the machine in the same state. Then with phones that take
/// as long as real ones: only so does the attempt's record have the time that it has at a gate.
struct DecisionBenchmark {
    private var warmUp: Int { report.extent.of(200, short: 2) }

    let gate: InProcessGate
    let site: BenchSite
    let taps: Int
    let report: Report
    /// What the measurements' names begin with.
    var prefix = "decision"

    /// One way of bringing a credential.
    private struct Way {
        let name: String
        let cards: [PhoneCard]
        let bare: [BareExchange]
    }

    /// What was measured of one way.
    private struct Times {
        var whole = Samples(), own = Samples(), waits = Samples(), bare = Samples()

        mutating func add(_ tap: TapWatch.Result) {
            whole.add(nanoseconds: tap.decision)
            own.add(nanoseconds: tap.decision - tap.waited)
            waits.add(nanoseconds: tap.waited)
        }
    }

    func run() throws {
        try gate.learnTokens()
        let ways = [try way("by-value", gate.byValue, site.phones.byValue, .suite2),
                    try way("by-reference", gate.byReference, site.phones.byReference, .suite2),
                    try way("enrolled", gate.enrolled, site.phones.enrolled, .suite2)]
        report.note("decision time: \(taps) taps of each kind with phones that answer at once")
        for (way, times) in zip(ways, try atOnce(ways)) { recordAtOnce("\(prefix)-\(way.name)", times) }
        report.note("decision time: \(taps / 4) taps of each kind at the pace of phones")
        for (way, times) in zip(ways, try asPhones(ways)) { recordAsPhones("\(prefix)-\(way.name)-as-phones", times) }
    }

    /// The first pass again with phones of the other suites. The gate knows the tokens.
    func runInOtherSuites() throws {
        for suite in CipherSuite.ofGates where suite != .suite2 {
            let kinds = [("by-value", site.phones.byValue), ("by-reference", site.phones.byReference), ("enrolled", site.phones.enrolled)]
            let ways = try kinds.map { name, identities in try way(name, gate.cards(identities, suite), identities, suite) }
            report.note("decision time in suite \(suite.rawValue): \(taps) taps of each kind with phones that answer at once")
            for (way, times) in zip(ways, try atOnce(ways)) { recordAtOnce("\(prefix)-suite-\(suite.rawValue)-\(way.name)", times) }
        }
    }

    /// The work of libcrypto depends on lengths alone: a few phones stand for all.
    private func way(_ name: String, _ cards: [PhoneCard], _ identities: [PhoneIdentity], _ suite: CipherSuite) throws -> Way {
        let bare = try (0..<8).map { index in
            _ = try gate.tap(cards[index])
            return try BareExchange.of(identities[index], in: suite, steps: cards[index].steps, issuer: site.keys.issuer)
        }
        return Way(name: name, cards: cards, bare: bare)
    }

    private func atOnce(_ ways: [Way]) throws -> [Times] {
        var times = ways.map { _ in Times() }
        for round in 0..<(warmUp + taps) {
            for (index, way) in ways.enumerated() {
                let card = way.cards[round % way.cards.count]
                let tap = try gate.tap(card)
                let bare = try timed(way.bare[round % way.bare.count], with: card)
                guard round >= warmUp else { continue }
                times[index].add(tap)
                times[index].bare.add(nanoseconds: bare)
            }
        }
        return times
    }

    /// A bare run in a tap whose own decision does not count.
    private func timed(_ exchange: BareExchange, with card: PhoneCard) throws(BenchError) -> Int64 {
        _ = try gate.tap(card, atLastByte: { exchange.runTimed() })
        guard let took = exchange.lastTime else { throw BenchError("the bare exchange did not verify") }
        return took
    }

    private func asPhones(_ ways: [Way]) throws -> [Times] {
        var times = ways.map { _ in Times() }
        for round in 0..<(taps / 4) {
            for (index, way) in ways.enumerated() {
                times[index].add(try gate.tap(way.cards[round % way.cards.count], pace: .phone))
            }
        }
        return times
    }

    private func recordAtOnce(_ name: String, _ times: Times) {
        report.add("\(name)-over-libcrypto", times.own.median / times.bare.median, "ratio", bar: 2)
        report.add("\(name)-bare-libcrypto-p50", times.bare.median, "us")
        record("\(name)-without-journal", times.own)
        record("\(name)-with-journal", times.whole)
        record("\(name)-journal-wait", times.waits)
    }

    private func recordAsPhones(_ name: String, _ times: Times) {
        record("\(name)-without-journal", times.own)
        record("\(name)-with-journal", times.whole, bar: 5000)
        record("\(name)-journal-wait", times.waits)
    }

    /// `bar` is that of the 99th percentile.
    private func record(_ name: String, _ samples: Samples, bar: Double? = nil) {
        report.add("\(name)-p50", samples.median, "us")
        report.add("\(name)-p99", samples.quantile(0.99), "us", bar: bar)
        report.add("\(name)-p99.9", samples.quantile(0.999), "us")
    }
}
