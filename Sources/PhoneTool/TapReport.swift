import Conversations
import Credentials
import Encoding
import VirtualPhone

/// What is said about a conversation: for programs and for people.
public struct TapReport: Sendable {
    private let record: TapRecord

    public init(_ record: TapRecord) {
        self.record = record
    }

    /// The reason: its code, nil where none was told, and a sentence.
    public var reason: (code: String?, sentence: String) {
        switch record.result {
        case .outcome(let outcome):
            guard let reason = outcome.reason else {
                return ("reason-\(outcome.reasonNumber)", "The gate gave a reason that this phone does not know.")
            }
            return (reason.rawValue, reason.sentence)
        case .refused: return (nil, "The gate gave no reason.")
        case .stopped(let stop): return (stop.code, "The phone itself stopped.")
        case nil:
            return (nil, record.steps.isEmpty ? "No gate spoke to the phone." : "The conversation did not come to its end.")
        }
    }

    /// One object.
    public var json: JSON {
        let outcome = outcome
        var members: [(String, JSON)] = [
            ("result", .string(record.verdict.rawValue)), ("reason", reason.code.map(JSON.string) ?? .null),
            ("sentence", .string(reason.sentence)),
            ("retryAfterMilliseconds", outcome?.retryAfterMilliseconds.map { .integer(Int64($0)) } ?? .null),
            ("journalHead", outcome?.journalHead.map { .string(Hex.encode($0)) } ?? .null),
            ("bytes", JSON(record.steps.reduce(0) { $0 + $1.byteCount })),
            ("framedBytes", JSON(record.steps.reduce(0) { $0 + $1.framedByteCount })),
            ("framedBytesToProof", JSON(stepsToProof.reduce(0) { $0 + $1.framedByteCount })),
            ("commands", JSON(record.steps.count)), ("commandsToProof", JSON(stepsToProof.count)),
            ("microseconds", .integer(total)), ("steps", .array(record.steps.map(\.json)))
        ]
        if let gate = record.gate {
            members.append(("gate", gate.json))
        }
        return .object(JSONObject(members))
    }

    /// A few lines.
    public var text: String {
        var lines = ["\(record.verdict.rawValue)\(reason.code.map { " (\($0))" } ?? ""): \(reason.sentence)"]
        if let gate = record.gate { lines.append("  gate \(gate.gateIdentifier), lane \(gate.lane)\(gate.wantsSecondFactor ? ", which wants a second factor" : "")") }
        if let after = outcome?.retryAfterMilliseconds { lines.append("  try again in \(after) ms") }
        guard !record.steps.isEmpty else { return lines.joined(separator: "\n") }
        let bytes = record.steps.reduce(0) { $0 + $1.byteCount }
        let framed = record.steps.reduce(0) { $0 + $1.framedByteCount }
        lines.append("  \(record.steps.count) commands, \(bytes) bytes (\(framed) with their frames), "
            + "\(Self.milliseconds(total)) ms")
        lines += record.steps.map { step in
            let waited = step.waited.map { "waited \(Self.milliseconds($0)) ms, " } ?? ""
            return "  \(step.name): \(step.commandLength) bytes in, \(step.answerLength) out; \(waited)"
                + "computed \(Self.milliseconds(step.own)) ms"
        }
        return lines.joined(separator: "\n")
    }

    private var outcome: PhoneOutcome? {
        if case .outcome(let outcome) = record.result { outcome } else { nil }
    }

    /// SELECT to message_3.
    private var stepsToProof: [TapStep] {
        Array(record.steps.prefix { $0.instruction != OnTouchProfile.outcomeInstruction })
    }

    /// From the first command to the last answer.
    private var total: Int64 { record.steps.reduce(0) { $0 + ($1.waited ?? 0) + $1.own } }

    /// `12.345`
    private static func milliseconds(_ microseconds: Int64) -> String {
        let fraction = String(microseconds % 1000)
        return "\(microseconds / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
    }
}

extension GateContext {
    fileprivate var json: JSON {
        ["gate": .string(gateIdentifier), "lane": .string(lane), "time": .integer(time),
         "generation": .integer(Int64(clamping: cacheGeneration)), "wantsSecondFactor": .bool(wantsSecondFactor)]
    }
}

extension TapStep {
    fileprivate var json: JSON {
        ["command": .string(name), "commandBytes": JSON(commandLength), "answerBytes": JSON(answerLength),
         "waitedMicroseconds": waited.map { .integer($0) } ?? .null, "ownMicroseconds": .integer(own)]
    }
}
