import Credentials
import Encoding
import PhoneProtocol
import VirtualPhone

/// What is said about the end of a tap, whatever carried it.
struct ReportedResult {
    let result: PhoneResult?
    /// What is said where there is no result.
    let otherwise: (code: String?, sentence: String)
    /// The site's own words for reasons, by their codes.
    var words: [String: String] = [:]

    /// The reason: its code, nil where none was told, and a sentence.
    var reason: (code: String?, sentence: String) {
        switch result {
        case .outcome(let outcome):
            guard let reason = outcome.reason else {
                return ("reason-\(outcome.reasonNumber)", "The gate gave a reason that this phone does not know.")
            }
            return (reason.rawValue, reason.sentence)
        case .refused: return (nil, "The gate gave no reason.")
        case .stopped(let stop): return (stop.code, "The phone itself stopped.")
        case nil: return otherwise
        }
    }

    /// The first members of every report.
    var members: [(String, JSON)] {
        let (reason, outcome) = (reason, outcome)
        return siteMember + [
            ("result", .string(TapVerdict(result).rawValue)), ("reason", reason.code.map(JSON.string) ?? .null),
            ("sentence", .string(reason.sentence)),
            ("retryAfterMilliseconds", outcome?.retryAfterMilliseconds.map { .integer(Int64($0)) } ?? .null),
            ("journalHead", outcome?.journalHead.map { .string(Hex.encode($0)) } ?? .null)
        ]
    }

    /// What the site says in its own words, where it does.
    private var siteSentence: String? { reason.code.flatMap { words[$0] } }

    private var siteMember: [(String, JSON)] { siteSentence.map { [("siteSentence", JSON.string($0))] } ?? [] }

    /// The first lines of every report.
    func lines(gate: GateContext?) -> [String] {
        let reason = reason
        var lines = ["\(TapVerdict(result).rawValue)\(reason.code.map { " (\($0))" } ?? ""): \(reason.sentence)"]
        if let siteSentence { lines.append("  \(siteSentence)") }
        if let gate { lines.append("  gate \(gate.gateIdentifier), lane \(gate.lane)\(gate.wantsSecondFactor ? ", which wants a second factor" : "")") }
        if let after = outcome?.retryAfterMilliseconds { lines.append("  try again in \(after) ms") }
        return lines
    }

    private var outcome: PhoneOutcome? {
        if case .outcome(let outcome) = result { outcome } else { nil }
    }

    /// `12.345`
    static func milliseconds(_ microseconds: Int64) -> String {
        let fraction = String(microseconds % 1000)
        return "\(microseconds / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
    }
}

extension GateContext {
    /// What a gate said of itself.
    var json: JSON {
        ["gate": .string(gateIdentifier), "lane": .string(lane), "time": .integer(time),
         "generation": .integer(Int64(clamping: cacheGeneration)), "wantsSecondFactor": .bool(wantsSecondFactor)]
    }
}
