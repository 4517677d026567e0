import Conversations
import Encoding
import VirtualPhone

/// What is said about a conversation: for programs and for people.
public struct TapReport: Sendable {
    private let record: TapRecord

    public init(_ record: TapRecord) {
        self.record = record
    }

    /// The reason: its code, nil where none was told, and a sentence.
    public var reason: (code: String?, sentence: String) { reported.reason }

    private var reported: ReportedResult {
        ReportedResult(result: record.result, otherwise: (
            nil, record.steps.isEmpty ? "No gate spoke to the phone." : "The conversation did not come to its end."))
    }

    /// One object.
    public var json: JSON {
        var members: [(String, JSON)] = reported.members
        members += [
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
    public var lines: [String] {
        var lines = reported.lines(gate: record.gate)
        guard !record.steps.isEmpty else { return lines }
        let bytes = record.steps.reduce(0) { $0 + $1.byteCount }
        let framed = record.steps.reduce(0) { $0 + $1.framedByteCount }
        lines.append("  \(record.steps.count) commands, \(bytes) bytes (\(framed) with their frames), "
            + "\(ReportedResult.milliseconds(total)) ms")
        lines += record.steps.map { step in
            let waited = step.waited.map { "waited \(ReportedResult.milliseconds($0)) ms, " } ?? ""
            return "  \(step.name): \(step.commandLength) bytes in, \(step.answerLength) out; \(waited)"
                + "computed \(ReportedResult.milliseconds(step.own)) ms"
        }
        return lines
    }

    /// SELECT to message_3.
    private var stepsToProof: [TapStep] {
        Array(record.steps.prefix { $0.instruction != OnTouchProfile.outcomeInstruction })
    }

    /// From the first command to the last answer.
    private var total: Int64 { record.steps.reduce(0) { $0 + ($1.waited ?? 0) + $1.own } }
}

extension TapStep {
    fileprivate var json: JSON {
        ["command": .string(name), "commandBytes": JSON(commandLength), "answerBytes": JSON(answerLength),
         "waitedMicroseconds": waited.map { .integer($0) } ?? .null, "ownMicroseconds": .integer(own)]
    }
}
