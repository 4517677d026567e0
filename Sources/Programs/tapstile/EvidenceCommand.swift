import CommandLineOptions
import ControlProtocol
import Encoding

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
        tell(sequence, path, answer)
        return .success
    }

    private func tell(_ sequence: UInt64, _ path: String, _ answer: JSON) {
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
