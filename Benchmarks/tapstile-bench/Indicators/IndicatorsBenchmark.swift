import Configuration
import Controller
import Lines
import Service
import Threads
import VirtualPhone

/// From a phone's last byte to the indicator that tells its owner what became of it, while eight lanes are at work. Each
/// lane is tapped on a thread of its own at the pace of phones, by one that is granted and one that is denied in turn.
struct IndicatorsBenchmark {
    private static let lanes = 8
    /// Taps of each lane.
    private var rounds: Int { report.extent.of(60, short: 2) }
    /// Fire alarms, each at all lanes.
    private var alarms: Int { report.extent.of(20, short: 2) }

    let site: BenchSite
    let report: Report

    private struct Times: Sendable {
        var granted = Samples()
        var denied = Samples()
        var fire = Samples()
        /// Indicators that were on before their lane's relay.
        var early = 0
        var failure: BenchError?
    }

    func run() throws {
        report.note("indicators: \(rounds) taps at each of \(Self.lanes) lanes at once")
        let fire = "[inputs.fire]\nchip = \"simulated\"\nline = 1000\n"
        try site.write(Array(site.configuration(lanes: Self.lanes, more: fire).utf8), "indicators.toml")
        let loaded = try ConfigurationFile.load(path: site.path("indicators.toml"))
        let logs = try LogOutput(LogSettings(loaded.configuration.log))
        defer { logs.stop() }
        let lines = StampedLines(LineRequest.all(of: loaded.configuration))
        let controller = try Controller(loaded, path: site.path("indicators.toml"), bank: lines, logs: logs)
        defer { controller.stop() }
        try controller.start(withReaders: false)
        var times = try measure(controller, lines)
        for _ in 0..<alarms { try alarm(lines, &times) }
        record(times)
    }

    private func measure(_ controller: Controller, _ lines: StampedLines) throws -> Times {
        let phones = try SoakPhones(site.keys, gates: site.phones.gates).expiredTokens
        let all = Mutex(Times())
        let rounds = rounds
        let workers = try (0..<Self.lanes).map { lane in
            let granted = site.phones.byValue[lane], denied = phones[lane]
            return try Worker(name: "tapper-\(lane)") {
                for round in 0..<rounds {
                    do throws(BenchError) {
                        let mayPass = round % 2 == 0
                        let tap = try Self.tap(mayPass ? granted : denied, mayPass: mayPass, at: lane, controller, lines)
                        all.withLock { times in
                            if mayPass { times.granted.add(nanoseconds: tap.indicator) } else { times.denied.add(nanoseconds: tap.indicator) }
                            if tap.isEarly { times.early += 1 }
                        }
                    } catch {
                        return all.withLock { $0.failure = error }
                    }
                }
            }
        }
        for worker in workers { worker.join() }
        let times = all.withLock { $0 }
        if let failure = times.failure { throw failure }
        return times
    }

    /// A fire alarm: every lane is released, and says so.
    private func alarm(_ lines: StampedLines, _ times: inout Times) throws {
        let names = (0..<Self.lanes).map(BenchSite.laneName)
        for name in names {
            try lines.waitUntilIdle("\(name)-relay")
            try lines.waitUntilIdle("\(name)-granted")
        }
        let edge = try lines.drive("gate:fire", active: true)
        for name in names {
            guard let indicator = lines.onSet("\(name)-granted", after: edge), let relay = lines.onSet("\(name)-relay", after: edge) else {
                throw BenchError("a fire alarm was not shown at \(name)")
            }
            times.fire.add(nanoseconds: indicator - edge)
            if indicator < relay { times.early += 1 }
        }
        _ = try lines.drive("gate:fire", active: false)
    }

    /// How long the indicator took, and whether it was on before the relay.
    private static func tap(_ phone: PhoneIdentity, mayPass: Bool, at lane: Int, _ controller: Controller, _ lines: StampedLines)
        throws(BenchError) -> (indicator: Int64, isEarly: Bool) {
        let name = BenchSite.laneName(lane)
        try lines.waitUntilIdle("\(name)-relay")
        let lastByte = Mutex<Int64>(0)
        let link = PhoneLink(PhoneCard(NFCPhone(identity: phone)), watch: TapWatch(), pace: .phone,
                             atLastByte: { lastByte.withLock { $0 = Clock.now } })
        _ = controller.present(link, at: BenchSite.reader(lane))
        let cause = lastByte.withLock { $0 }
        guard cause > 0, let indicator = lines.onSet("\(name)-\(mayPass ? "granted" : "denied")", after: cause) else {
            throw BenchError("a tap at \(name) was not shown")
        }
        guard mayPass else { return (indicator - cause, false) }
        guard let relay = lines.onSet("\(name)-relay", after: cause) else { throw BenchError("a tap at \(name) moved no relay") }
        return (indicator - cause, indicator < relay)
    }

    private func record(_ times: Times) {
        record("indicator-granted", times.granted)
        record("indicator-denied", times.denied)
        record("indicator-fire", times.fire)
        report.add("indicator-before-relay", Double(times.early), "taps", bar: 0)
    }

    private func record(_ name: String, _ samples: Samples) {
        report.add("\(name)-p50", samples.median / 1000, "ms")
        report.add("\(name)-p99", samples.quantile(0.99) / 1000, "ms")
        report.add("\(name)-largest", samples.largest / 1000, "ms", bar: 50)
    }
}
