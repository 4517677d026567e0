import Threads

/// What came of the taps so far.
final class SoakTally: Sendable {
    struct Counts: Sendable {
        /// Taps by the reason that the gate told.
        var reasons: [String: Int] = [:]
        /// Taps that came to something else than they must.
        var unexpected = 0
        /// Of those, the ones that opened the gate.
        var wronglyGranted = 0
    }

    private let counts = Mutex(Counts())
    private let report: Report
    /// Each is told, up to so many.
    private static let told = 20

    init(report: Report) { self.report = report }

    /// The counts at this moment.
    var now: Counts { counts.withLock { $0 } }

    /// One more tap of that kind has ended like that.
    func add(_ kind: SoakKind, _ reason: String, tap number: Int) {
        let expected = kind.expected.rawValue
        let unexpected = counts.withLock { counts in
            counts.reasons[reason, default: 0] += 1
            guard reason != expected else { return 0 }
            counts.unexpected += 1
            if reason == "granted" { counts.wronglyGranted += 1 }
            return counts.unexpected
        }
        guard unexpected > 0, unexpected <= Self.told else { return }
        report.note("tap \(number), \(kind.name): \(reason) instead of \(expected)")
    }
}
