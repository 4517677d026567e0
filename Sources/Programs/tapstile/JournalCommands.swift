import CommandLineOptions
import ControlProtocol
import Encoding
import Evidence
import Files
import Glibc
import Threads

/// `tapstile journal checkpoint`, `ack` and `audit-key`.
struct JournalCommands {
    /// The gate.
    let gate: GateConnection
    /// Whether output is one JSON object.
    let json: Bool

    func run(_ action: JournalAction, _ command: ParsedCommand) throws -> ExitStatus {
        try command.refuse(action.foreign, beside: action.rawValue)
        if action != .exportEvidence, let operand = command.operand(1) { throw CommandLineError.operandNotWanted(operand) }
        switch action {
        case .exportEvidence: return try EvidenceCommand(gate: gate, json: json).run(command)
        case .verify: return try JournalVerification(gate: gate, json: json).run(command)
        case .checkpoint: return try checkpoint(command)
        case .acknowledge: return try acknowledge(command)
        case .auditKey: return try auditKey(command)
        }
    }

    private func checkpoint(_ command: ParsedCommand) throws -> ExitStatus {
        var answer = try gate.ask(.checkpointJournal)
        guard let text = answer["checkpoint"]?.string, let bytes = try? Hex.decode(text) else { throw Self.unreadable }
        if let path = command.value("out") {
            try NewFile.write(bytes, to: path, mode: 0o644)
            answer = answer.adding("file", .string(path))
        }
        guard !json else {
            StandardStream.output.write(answer)
            return .success
        }
        StandardStream.output.write(line: "Signed up to record \(answer["sequence"]?.integer ?? 0) of the main chain, head \(answer["head"]?.string ?? "?").")
        if let path = command.value("out") {
            StandardStream.output.write(line: "Keep \(path) where nobody who can write to the gate can change it. Later: "
                + "tapstile journal verify --since-checkpoint \(path)")
        }
        return .success
    }

    private func acknowledge(_ command: ParsedCommand) throws -> ExitStatus {
        let receipt: JournalReceipt = switch try command.exactlyOne(of: ["through", "checkpoint"]) {
        case "through": .through(UInt64(try command.integer("through", in: 0...Int.max) ?? 0))
        default: .checkpoint(try SmallFile.read(command.required("checkpoint"), limit: JournalReceipt.longestCheckpoint))
        }
        let answer = try gate.ask(.collectJournal(receipt))
        guard !json else {
            StandardStream.output.write(answer)
            return .success
        }
        let lost = answer["overwritten"]?.integer ?? 0
        StandardStream.output.write(line: "Everything up to record \(answer["through"]?.integer ?? 0) counts as collected; "
            + "\(answer["uncollected"]?.integer ?? 0) records came since.")
        if lost > 0 { StandardStream.error.write(line: "\(lost) records went before anybody had them.") }
        return .success
    }

    private func auditKey(_ command: ParsedCommand) throws -> ExitStatus {
        let answer = try gate.ask(.auditKey)
        guard let text = answer["file"]?.string else { throw Self.unreadable }
        if let path = command.value("out") { try NewFile.write(Array(text.utf8), to: path, mode: 0o644) }
        if json {
            StandardStream.output.write(answer)
        } else if let path = command.value("out") {
            StandardStream.output.write(line: "The public half of the audit key \(answer["thumbprint"]?.string ?? "?") is in \(path).")
        } else {
            StandardStream.output.write(lines: text)
        }
        return .success
    }

    private static let unreadable = ControlError(code: "request-malformed", message: "The gate's answer cannot be read.")
}

extension JSON {
    /// An object with one field more.
    fileprivate func adding(_ name: String, _ value: JSON) -> JSON {
        guard case .object(var fields) = self else { return self }
        fields[name] = value
        return .object(fields)
    }
}

/// `tapstile journal export-evidence SEQUENCE`: the evidence of one grant as a file.
struct EvidenceCommand {
    /// The gate.
    let gate: GateConnection
    /// Whether output is one JSON object.
    let json: Bool

    func run(_ command: ParsedCommand) throws -> ExitStatus {
        try command.refuse(JournalAction.exportEvidence.foreign, beside: "export-evidence")
        guard let operand = command.operand(1) else { throw CommandLineError.operandMissing("SEQUENCE") }
        guard let sequence = UInt64(operand), sequence >= 1, Int64(exactly: sequence) != nil else {
            throw CommandLineError.operandNotWanted(operand)
        }
        let answer = try gate.ask(.proveJournal(sequence: sequence))
        guard let text = answer["file"]?.string, let bytes = try? Hex.decode(text) else {
            throw ControlError(code: "request-malformed", message: "The gate's answer holds no file.")
        }
        let path = command.value("out") ?? "evidence-\(sequence).cbor"
        // For its owner's eyes: it names a person.
        try NewFile.write(bytes, to: path, mode: 0o600)
        report(sequence, path, answer)
        return .success
    }

    private func report(_ sequence: UInt64, _ path: String, _ answer: JSON) {
        let isSigned = answer["signed"]?.bool == true, didRelayFail = answer["relayFailed"]?.bool == true
        guard !json else {
            var fields: JSONObject = [
                "sequence": .integer(Int64(clamping: sequence)), "file": .string(path), "signed": .bool(isSigned),
                "relayFailed": .bool(didRelayFail), "outcomeSigned": .bool(answer["outcomeSigned"]?.bool == true)]
            fields["problem"] = answer["problem"]
            StandardStream.output.write(.object(fields))
            return
        }
        StandardStream.output.write(line: "Record \(sequence) is in \(path), with what the phone proved. "
            + "Check it with: tapstile-authority verify-evidence \(path)")
        if answer["outcomeSigned"]?.bool != true {
            let problem = answer["problem"].map { " (\($0["code"]?.string ?? ""): \($0["message"]?.string ?? ""))" } ?? ""
            StandardStream.error.write(line: "The gate has not signed the outcome\(problem): this file proves no more than that the phone asked.")
        }
        if didRelayFail {
            StandardStream.error.write(line: "The relay could not be driven then, says a later record that is not in the file: nobody passed by this grant.")
        }
        if !isSigned {
            StandardStream.error.write(line: "The phone did not sign (its key agrees: methods 2 and 3): this file proves nothing to anybody else.")
        }
    }
}

/// A file that was not there before: what is there is never written over.
enum NewFile {
    /// - Throws: `file-exists`; what the system refuses.
    static func write(_ bytes: [UInt8], to path: String, mode: UInt32) throws {
        do throws(SystemError) {
            try SmallFile.make(path, bytes, mode: mode)
        } catch {
            guard error.number == EEXIST else { throw error }
            throw ControlError(code: "file-exists", message: "There is \(path) already; it is left as it is. Name another with --out.")
        }
    }
}
