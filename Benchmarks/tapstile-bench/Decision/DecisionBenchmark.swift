import VirtualPhone

/// The decision: from the phone's last byte to the write of the relay line.
///
/// First with phones that answer at once, against the bare work of libcrypto for the same exchange;
/// taps and bare runs alternate, so that both see the same machine. Then with phones whose bytes take
/// as long as over the air: only so does the attempt's record have the time that it has at a gate.
struct DecisionBenchmark {
    private static let warmUp = 200

    let gate: InProcessGate
    let site: BenchSite
    let taps: Int
    let report: Report

    /// One way of bringing a credential.
    private struct Way {
        let name: String
        let cards: [OnTouchCard]
        let bare: [BareExchange]
    }

    /// What was measured of one way.
    private struct Times {
        var whole = Samples(), own = Samples(), waits = Samples(), bare = Samples()

        mutating func add(_ tap: (decision: Int64, waited: Int64, relayAt: Int64)) {
            whole.add(nanoseconds: tap.decision)
            own.add(nanoseconds: tap.decision - tap.waited)
            waits.add(nanoseconds: tap.waited)
        }
    }

    func run() throws {
        let ways = [try way("by-value", gate.byValue, site.phones.byValue), try way("enrolled", gate.enrolled, site.phones.enrolled)]
        report.note("decision time: \(taps) taps of each kind with phones that answer at once")
        for (way, times) in zip(ways, try atOnce(ways)) { tellAtOnce("decision-\(way.name)", times) }
        report.note("decision time: \(taps / 2) taps of each kind at the pace of the air")
        for (way, times) in zip(ways, try overTheAir(ways)) { tellOverTheAir("decision-\(way.name)-on-air", times) }
    }

    /// The work of libcrypto depends on lengths alone: a few phones stand for all.
    private func way(_ name: String, _ cards: [OnTouchCard], _ identities: [PhoneIdentity]) throws -> Way {
        let bare = try (0..<8).map { index in
            _ = try gate.tap(cards[index])
            return try BareExchange.of(identities[index], steps: cards[index].steps, issuer: site.keys.issuer)
        }
        return Way(name: name, cards: cards, bare: bare)
    }

    private func atOnce(_ ways: [Way]) throws -> [Times] {
        var times = ways.map { _ in Times() }
        for round in 0..<(Self.warmUp + taps) {
            for (index, way) in ways.enumerated() {
                let tap = try gate.tap(way.cards[round % way.cards.count])
                let bare = try timed(way.bare[round % way.bare.count])
                guard round >= Self.warmUp else { continue }
                times[index].add(tap)
                times[index].bare.add(nanoseconds: bare)
            }
        }
        return times
    }

    private func timed(_ exchange: BareExchange) throws(BenchError) -> Int64 {
        let start = Clock.now
        guard exchange.run() else { throw BenchError("the bare exchange did not verify") }
        return Clock.now - start
    }

    private func overTheAir(_ ways: [Way]) throws -> [Times] {
        var times = ways.map { _ in Times() }
        for round in 0..<(taps / 2) {
            for (index, way) in ways.enumerated() {
                times[index].add(try gate.tap(way.cards[round % way.cards.count], pace: .air))
            }
        }
        return times
    }

    private func tellAtOnce(_ name: String, _ times: Times) {
        report.add("\(name)-over-libcrypto", times.own.median / times.bare.median, "ratio", bar: 2)
        report.add("\(name)-bare-libcrypto-p50", times.bare.median, "us")
        tell("\(name)-without-journal", times.own)
        tell("\(name)-with-journal", times.whole)
        tell("\(name)-journal-wait", times.waits)
    }

    private func tellOverTheAir(_ name: String, _ times: Times) {
        tell("\(name)-without-journal", times.own)
        tell("\(name)-with-journal", times.whole, bar: 5000)
        tell("\(name)-journal-wait", times.waits)
    }

    /// `bar` is that of the 99th percentile.
    private func tell(_ name: String, _ samples: Samples, bar: Double? = nil) {
        report.add("\(name)-p50", samples.median, "us")
        report.add("\(name)-p99", samples.quantile(0.99), "us", bar: bar)
        report.add("\(name)-p99.9", samples.quantile(0.999), "us")
    }
}
