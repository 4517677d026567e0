import Encoding
import PhoneProtocol
import VirtualPhone

/// What is said about a tap over Bluetooth: for programs and for people.
public struct BluetoothReport: Sendable {
    private let record: BluetoothRecord
    private let approach: BluetoothApproach.Found?

    private let words: [String: String]

    /// - Parameters:
    ///   - approach: how the phone came to the gate, where that is known.
    ///   - words: the site's own for reasons, by their codes.
    public init(_ record: BluetoothRecord, approach: BluetoothApproach.Found? = nil, words: [String: String] = [:]) {
        self.record = record
        self.approach = approach
        self.words = words
    }

    private var reported: ReportedResult {
        ReportedResult(result: record.result, otherwise: record.failure.map { ($0.code, $0.message) }
            ?? (nil, "The phone let the gate go before the end."), words: words)
    }

    /// The reason: its code, nil where none was told, and a sentence.
    public var reason: (code: String?, sentence: String) { reported.reason }

    /// One object.
    public var json: JSON {
        var members: [(String, JSON)] = reported.members + place + work + times
        members.append(("linkEnd", Self.text(record.failure?.code)))
        members.append(("steps", JSON.array(record.steps.map(\.json))))
        if let gate = record.gate { members.append(("gate", gate.json)) }
        return .object(JSONObject(members))
    }

    // In small parts, each value of a type that is named: Swift 6.0 never comes to an end with one large literal.

    private var place: [(String, JSON)] {
        [("address", Self.text(approach?.address.description)), ("adapter", Self.text(approach?.adapter.address.description)),
         ("mtu", JSON(record.mtu)), ("handle", Self.number(record.handle.map { Int64($0) }))]
    }

    private var work: [(String, JSON)] {
        let requests: Int = record.proof.reduce(0) { $0 + $1.requests }
        let bytes: Int = record.steps.reduce(0) { $0 + $1.byteCount }
        return [("requests", JSON(record.requests)), ("requestsToProof", JSON(requests)), ("bytes", JSON(bytes))]
    }

    private var times: [(String, JSON)] {
        let proof: Int64? = record.proof.isEmpty ? nil : record.proofTime
        let total: Int64 = (approach?.connect ?? 0) + record.linked
        return [("scanMicroseconds", Self.number(approach?.scan)), ("connectMicroseconds", Self.number(approach?.connect)),
                ("firstWriteMicroseconds", Self.number(record.firstWrite)), ("proofMicroseconds", Self.number(proof)),
                ("microseconds", JSON.integer(total))]
    }

    private static func text(_ text: String?) -> JSON { text.map { JSON.string($0) } ?? JSON.null }

    private static func number(_ number: Int64?) -> JSON { number.map { JSON.integer($0) } ?? JSON.null }

    /// A few lines.
    public var lines: [String] {
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
        return lines
    }
}

extension BluetoothStep {
    fileprivate var json: JSON {
        ["step": .string(name), "requests": JSON(requests), "bytes": JSON(byteCount), "microseconds": .integer(took),
         "refusals": JSON(refusals), "error": refusal.map { .string($0.description) } ?? .null]
    }
}
