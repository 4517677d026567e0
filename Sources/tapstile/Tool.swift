import CommandLineOptions
import Configuration
import ControlProtocol
import Service
import Threads

/// The command line for installers and operators.
enum Tool {
    private static let json = OptionSyntax.flag("json", "one JSON object a line instead of text")
    private static let socket = OptionSyntax.value("socket", "PATH", "the control socket (default /run/tapstile/control.sock)")
    private static let file = OperandSyntax("FILE", isOptional: true, "the configuration (default \(ConfigurationCommands.standardPath))")

    private static let syntax = ProgramSyntax(
        "tapstile", "Asks and tells the gate on this machine.",
        commands: [
            CommandSyntax("check-config", "Checks a configuration as a whole; names everything that is wrong.",
                          operands: [file], options: [json]),
            CommandSyntax("effective-config", "Prints a configuration with every default spelled out.",
                          operands: [file], options: [json]),
            CommandSyntax("status", "How the gate is, and what is missing with the mend.", options: [json, socket]),
            CommandSyntax("events", "What happens, as it happens, until interrupted.", options: [json, socket]),
            CommandSyntax("journal", "The audit journal, oldest first; or the evidence of one grant, as a file.",
                          operands: [OperandSyntax("ACTION", isOptional: true, "prove: export what the phone of a grant signed"),
                                     OperandSyntax("SEQUENCE", isOptional: true, "the number of the record to prove")],
                          options: [json, socket,
                                    .value("out", "FILE", "where the evidence goes (default evidence-SEQUENCE.cbor)"),
                                    .flag("unproven", "what nobody proved (attempts, strangers) instead of the main chain"),
                                    .value("from", "SEQUENCE", "the first record wanted"),
                                    .value("since", "TIME", "only records of this time (UTC, 2026-01-31T08:00:00Z) or later"),
                                    .value("lane", "NAME", "only records of this lane"),
                                    .value("reason", "CODE", "only outcomes with this reason"),
                                    .value("limit", "COUNT", "at most so many records")],
                          details: "tapstile-authority verify-evidence FILE checks the evidence, on any machine."),
            CommandSyntax("verify", "Whether every record of the journal follows from the one before it.", options: [json, socket],
                          details: "What was cut off at the end cannot be noticed here: compare the head with one that was kept elsewhere."),
            CommandSyntax("reload", "Reads the configuration again; on any error the old one stays.", options: [json, socket]),
            CommandSyntax("clock", "Mends what the gate remembers of the time (root only).",
                          operands: [OperandSyntax("ACTION", "reset-floor: forget times that lie ahead of the machine's clock")],
                          options: [json, socket],
                          details: "Set the machine's clock first: what lies ahead of it is forgotten, and what has expired\n"
                              + "since could open again. Site data that were issued ahead of it are set aside."),
            CommandSyntax("import", "Takes a signed publication of the site.",
                          operands: [OperandSyntax("FILE", "what `tapstile-authority export` wrote")], options: [json, socket])
        ])

    /// Runs one command. Answers the exit status.
    static func run(arguments: [String]) -> Int32 {
        // Errors are reported in the form that was asked for, also when the arguments are wrong.
        syntax.run(arguments, json: arguments.contains("--json"), unknown: "failed") { try run($0).rawValue }
    }

    private static func run(_ command: ParsedCommand) throws -> ExitStatus {
        let json = command.has("json")
        switch command.name {
        case "check-config":
            return ConfigurationCommands.check(path: command.operand(0), json: json)
        case "effective-config":
            return ConfigurationCommands.effective(path: command.operand(0), json: json)
        default:
            let gate = try GateConnection(path: command.value("socket") ?? GateConnection.standardPath)
            return try GateCommands(gate: gate, json: json).run(command)
        }
    }
}
