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
        let proof = record.proof
        var members = reported.members
        members += [
            ("address", approach.map { .string($0.address.description) } ?? .null),
            ("adapter", approach.map { .string($0.adapter.address.description) } ?? .null),
            ("mtu", JSON(record.mtu)), ("handle", record.handle.map { JSON(Int($0)) } ?? .null),
            ("requests", JSON(record.requests)), ("requestsToProof", JSON(proof.reduce(0) { $0 + $1.requests })),
            ("bytes", JSON(record.steps.reduce(0) { $0 + $1.byteCount })),
            ("scanMicroseconds", approach?.scan.map { .integer($0) } ?? .null),
            ("connectMicroseconds", approach.map { .integer($0.connect) } ?? .null),
            ("firstWriteMicroseconds", record.firstWrite.map { .integer($0) } ?? .null),
            ("proofMicroseconds", proof.isEmpty ? .null : .integer(record.proofTime)),
            ("microseconds", .integer((approach?.connect ?? 0) + record.linked)),
            ("linkEnd", record.failure.map { .string($0.code) } ?? .null), ("steps", .array(record.steps.map(\.json)))
        ]
        if let gate = record.gate { members.append(("gate", gate.json)) }
        return .object(JSONObject(members))
    }

    /// A few lines.
    public var text: String {
        var lines = reported.lines(gate: record.gate)
        if let approach {
            let found = approach.scan.map { "found in \(ReportedResult.milliseconds($0)) ms, " } ?? ""
            lines.append("  \(approach.address) from hci\(approach.adapter.index): \(found)connected in \(ReportedResult.milliseconds(approach.connect)) ms")
        }
        let proof = record.proof
        let proved = proof.isEmpty ? "" : ", proof after \(proof.reduce(0) { $0 + $1.requests }) and \(ReportedResult.milliseconds(record.proofTime)) ms"
        lines.append("  MTU \(record.mtu), \(record.requests) requests\(proved), \(ReportedResult.milliseconds(record.linked)) ms on the link")
        lines += record.steps.map { step in
            let refused = step.refusals == 0 ? "" : ", refused\(step.refusal.map { " (error \($0))" } ?? "")\(step.refusals > 1 ? " \(step.refusals) times" : "")"
            return "  \(step.name): \(step.requests) requests, \(step.byteCount) bytes, \(ReportedResult.milliseconds(step.took)) ms\(refused)"
        }
        if record.result != nil, let failure = record.failure { lines.append("  then: \(failure.message)") }
        return lines.joined(separator: "\n")
    }
}

extension BluetoothStep {
    fileprivate var json: JSON {
        ["step": .string(name), "requests": JSON(requests), "bytes": JSON(byteCount), "microseconds": .integer(took),
         "refusals": JSON(refusals), "error": refusal.map { .string($0.description) } ?? .null]
    }
}
