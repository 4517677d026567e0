import Conversations
import Encoding
import VirtualPhone

/// What is said about a tap over Bluetooth: for programs and for people.
public struct BluetoothReport: Sendable {
    private let record: BluetoothRecord
    private let approach: BluetoothApproach.Found?

    /// - Parameter approach: how the phone came to the gate, where that is known.
    public init(_ record: BluetoothRecord, approach: BluetoothApproach.Found? = nil) {
        self.record = record
        self.approach = approach
    }

    private var reported: ReportedResult {
        ReportedResult(result: record.result, otherwise: record.failure.map { ($0.code, $0.message) }
            ?? (nil, "The phone let the gate go before the end."))
    }

    /// The reason: its code, nil where none was told, and a sentence.
    public var reason: (code: String?, sentence: String) { reported.reason }

    /// One object.
    public var json: JSON {
        var members = reported.members + link + numbers
        members.append(("linkEnd", Self.text(record.failure?.code)))
        members.append(("steps", .array(record.steps.map(\.json))))
        if let gate = record.gate { members.append(("gate", gate.json)) }
        return .object(JSONObject(members))
    }

    /// Between whom it was.
    private var link: [(String, JSON)] {
        [
            ("address", Self.text(approach?.address.description)), ("adapter", Self.text(approach?.adapter.address.description)),
            ("mtu", JSON(record.mtu)), ("handle", Self.number(record.handle.map(Int64.init)))
        ]
    }

    private var numbers: [(String, JSON)] {
        let proof = record.proof
        let bytes = record.steps.reduce(0) { $0 + $1.byteCount }
        return [
            ("requests", JSON(record.requests)), ("requestsToProof", JSON(Self.requests(proof))), ("bytes", JSON(bytes)),
            ("scanMicroseconds", Self.number(approach?.scan)), ("connectMicroseconds", Self.number(approach?.connect)),
            ("firstWriteMicroseconds", Self.number(record.firstWrite)),
            ("proofMicroseconds", Self.number(proof.isEmpty ? nil : record.proofTime)),
            ("microseconds", JSON((approach?.connect ?? 0) + record.linked))
        ]
    }

    private static func text(_ text: String?) -> JSON { text.map { JSON($0) } ?? .null }
    private static func number(_ number: Int64?) -> JSON { number.map { JSON($0) } ?? .null }
    private static func requests(_ steps: ArraySlice<BluetoothStep>) -> Int { steps.reduce(0) { $0 + $1.requests } }

    /// A few lines.
    public var text: String {
        var lines = reported.lines(gate: record.gate)
        if let approach {
            let found = approach.scan.map { "found in \(ReportedResult.milliseconds($0)) ms, " } ?? ""
            let connected = "connected in \(ReportedResult.milliseconds(approach.connect)) ms"
            lines.append("  \(approach.address) from hci\(approach.adapter.index): \(found)\(connected)")
        }
        let proof = record.proof
        let proved = proof.isEmpty ? "" : ", proof after \(Self.requests(proof)) and \(ReportedResult.milliseconds(record.proofTime)) ms"
        let linked = "\(ReportedResult.milliseconds(record.linked)) ms on the link"
        lines.append("  MTU \(record.mtu), \(record.requests) requests\(proved), \(linked)")
        lines += record.steps.map(\.line)
        if record.result != nil, let failure = record.failure { lines.append("  then: \(failure.message)") }
        return lines.joined(separator: "\n")
    }
}

extension BluetoothStep {
    fileprivate var json: JSON {
        let error: JSON = refusal.map { JSON($0.description) } ?? .null
        return ["step": .string(name), "requests": JSON(requests), "bytes": JSON(byteCount), "microseconds": .integer(took),
                "refusals": JSON(refusals), "error": error]
    }

    fileprivate var line: String {
        var refused = ""
        if refusals > 0 {
            let code = refusal.map { " (error \($0))" } ?? ""
            let times = refusals > 1 ? " \(refusals) times" : ""
            refused = ", refused\(code)\(times)"
        }
        return "  \(name): \(requests) requests, \(byteCount) bytes, \(ReportedResult.milliseconds(took)) ms\(refused)"
    }
}
