import Encoding
import Tap
import Threads

/// What was said about the keys in force.
struct KeyTidings: Hashable, Sendable {
    /// Their thumbprints.
    let inForce: [String]
    /// The codes of the warnings about them.
    let warnings: [String]
}

extension Controller {
    /// Names the keys that the gate runs without.
    func logKeys(_ identity: GateIdentity) {
        for problem in identity.problems { log.warning("\(problem.code): \(problem.purpose.rawValue): \(problem.message)") }
    }

    /// Says that other keys have come into force, and what there is to look after: once each time. A tap goes by the
    /// clock itself, so that it may be some minutes ahead of this.
    func logKeysInForce() {
        let layout = self.layout.withLock { $0 }
        let report = KeyReport(layout.identity.ring, parts.clock)
        if let date = report.settledDate { holdClock(at: date) }
        let warnings = report.warnings
        let tidings = KeyTidings(inForce: report.inForce, warnings: warnings.map(\.code))
        let before = loggedKeys.withLock { told in
            defer { told = tidings }
            return told
        }
        for warning in warnings where before?.warnings.contains(warning.code) != true {
            log.warning("\(warning.code): \(warning.message)")
        }
        guard let before, before.inForce != tidings.inForce else { return }
        let names = tidings.inForce.map { $0.prefix(16) }.joined(separator: ", ")
        log.notice("gate-keys-changed: from now on the gate proves itself with \(names)")
        parts.recorder.record(.service, "gate-keys-changed", detail: Self.detail(tidings.inForce))
        layout.adoptKeys()
    }

    /// Says as which gate and with which keys the gate begins: both may have changed while it was off.
    func recordStart(with layout: GateLayout) {
        var detail = Self.detail(KeyReport(layout.identity.ring, parts.clock).inForce)
            .merging(Self.detail(of: loaded)) { own, _ in own }
        detail["site"] = .text(layout.configuration.site.identifier)
        detail["gate"] = .text(layout.configuration.gate.identifier)
        parts.recorder.record(.service, "started", detail: detail)
    }

    private static func detail(_ keys: [String]) -> [String: CBOR] {
        keys.isEmpty ? [:] : ["keys": .text(keys.joined(separator: " "))]
    }

    /// A clock in holdover raises no floor by itself, and a power cut would take the gate back to keys that phones may
    /// know no more.
    private func holdClock(at seconds: Int64) {
        let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow, parts.clock.floorMilliseconds < milliseconds else { return }
        parts.clock.raiseFloor(toMilliseconds: milliseconds)
        do throws(SystemError) { try parts.clock.save() } catch { log.warning("\(error.code): \(error.message)") }
    }
}
