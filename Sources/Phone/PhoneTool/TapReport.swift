import Encoding
import PhoneProtocol
import VirtualPhone

/// What is said about a conversation: for programs and for people.
public struct TapReport: Sendable {
    private let record: TapRecord
    private let words: [String: String]

    /// - Parameter words: the site's own for reasons, by their codes.
    public init(_ record: TapRecord, words: [String: String] = [:]) {
        self.record = record
        self.words = words
    }

    /// The reason: its code, nil where none was told, and a sentence.
    public var reason: (code: String?, sentence: String) { reported.reason }

    private var reported: ReportedResult {
        ReportedResult(result: record.result, otherwise: (
            nil, record.steps.isEmpty ? "No gate spoke to the phone." : "The conversation did not come to its end."), words: words)
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
        Array(record.steps.prefix { $0.instruction != PhoneProtocolProfile.outcomeInstruction })
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

/// One command and its answer, and how long they took. Microseconds.
public struct TapStep: Hashable, Sendable {
    /// The instruction byte; 0 if the command had none.
    public let instruction: UInt8
    /// Length of the command and of the answer.
    public let commandLength: Int
    public let answerLength: Int
    /// From our answer before until this command came: the gate and the way to it. Nil for the first.
    public let waited: Int64?
    /// What the phone took to answer.
    public let own: Int64

    /// What the command is called.
    public var name: String {
        switch instruction {
        case PhoneProtocolProfile.selectInstruction: "SELECT"
        case PhoneProtocolProfile.exchangeInstruction: "EXCHANGE"
        case PhoneProtocolProfile.outcomeInstruction: "OUTCOME"
        case ResponseCollector.getResponse: "GET RESPONSE"
        default: "INS \(Hex.encode([instruction]))"
        }
    }

    /// Bytes in both directions.
    public var byteCount: Int { commandLength + answerLength }
    /// The same with the frames of ISO/IEC 14443-4 around them.
    public var framedByteCount: Int { Self.framed(commandLength) + Self.framed(answerLength) }

    /// Bytes of an APDU in blocks of at most 256 bytes (FSD and FSC of phones), each with a byte of
    /// protocol control and two of check sum; each block but the last is acknowledged by one without data.
    static func framed(_ length: Int) -> Int {
        let blocks = max(1, (length + blockData - 1) / blockData)
        return length + blocks * blockOverhead + (blocks - 1) * blockOverhead
    }

    private static let blockOverhead = 3
    private static let blockData = 256 - blockOverhead
}
