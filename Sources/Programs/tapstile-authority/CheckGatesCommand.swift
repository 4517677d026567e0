import Authority
import CommandLineOptions
import Encoding

/// `check-gates`: what gates show, held against what they showed before.
enum CheckGatesCommand {
    private static let usualDays = 7

    static func run(_ command: ParsedCommand, _ authority: Authority, now: Int64) throws -> ExitStatus {
        let statuses = command.values("status"), checkpoints = command.values("checkpoint")
        guard !statuses.isEmpty || !checkpoints.isEmpty else { throw CommandLineError.oneOptionNeeded(["status", "checkpoint"]) }
        if !checkpoints.isEmpty, !command.has("audit-key") { throw CommandLineError.optionMissing("audit-key") }
        let days = try command.integer("days", in: 1...3650) ?? usualDays
        let keys = try command.values("audit-key").map { path throws(AuthorityError) in try Authority.auditKey(at: path) }
        for gate in command.values("replaced") { try authority.forgetWhatIsKnown(ofGate: gate) }
        var gates = try statuses.map { path throws(AuthorityError) in
            try authority.watch(statusAt: path, longestSeconds: Int64(days) * 86_400, now: now)
        }
        gates += try checkpoints.map { path throws(AuthorityError) in try authority.watch(checkpointAt: path, keys: keys, now: now) }
        report(gates, asJSON: command.has("json"))
        return gates.allSatisfy(\.findings.isEmpty) ? .success : .failure
    }

    private static func report(_ gates: [WatchedGate], asJSON: Bool) {
        if asJSON {
            StandardStream.output.write(["gates": .array(gates.map(json)), "holds": .bool(gates.allSatisfy(\.findings.isEmpty))])
            return
        }
        for gate in gates {
            if gate.findings.isEmpty { StandardStream.output.write(line: "\(gate.gate): goes forward\(gate.standing)") }
            for finding in gate.findings { StandardStream.output.write(line: "\(gate.gate): \(finding.code): \(finding.message)") }
        }
    }

    private static func json(_ gate: WatchedGate) -> JSON {
        let findings: [JSON] = gate.findings.map { ["code": .string($0.code), "message": .string($0.message)] }
        return ["gate": .string(gate.gate), "findings": .array(findings), "version": gate.version.map { JSON.integer($0) } ?? .null,
                "newest": gate.version.map { _ in JSON.integer(gate.newest) } ?? .null, "issued": text(gate.issued)]
    }
}

extension WatchedGate {
    /// Which site data it has, for the end of a line.
    fileprivate var standing: String {
        guard let version, let issued else { return "" }
        return "; it has version \(version) of \(newest), as of \(UTCText.make(seconds: issued))"
    }
}
