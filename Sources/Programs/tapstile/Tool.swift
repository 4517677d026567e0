import CommandLineOptions
import Configuration
import ControlProtocol
import Encoding
import Service
import SiteFile
import Threads

/// The command line for installers and operators.
enum Tool {
    private static let json = OptionSyntax.flag("json", "one JSON object a line instead of text")
    private static let socket = OptionSyntax.value("socket", "PATH", "the socket (default: the first below /run/tapstile that you may open)")
    private static let file = OperandSyntax("FILE", isOptional: true, "the configuration (default \(ConfigurationCommands.standardPath))")

    private static let syntax = ProgramSyntax(
        "tapstile", "Asks and tells the gate on this machine.",
        commands: [
            CommandSyntax("check-config", "Checks a configuration as a whole; names everything that is wrong.",
                          operands: [file], options: [json]),
            CommandSyntax("effective-config", "Prints a configuration with every default spelled out.",
                          operands: [file], options: [json]),
            CommandSyntax("check-site", "Checks the site's file of a gate without an authority; names everything that is wrong.",
                          operands: [OperandSyntax("FILE", isOptional: true, "the site's file (default: what trust.site-file names)")],
                          options: [json, .value("config", "FILE", "the gate's configuration, which knows its lanes (default \(ConfigurationCommands.standardPath))")]),
            CommandSyntax("status", "How the gate is, and what is missing with the remedy.", options: [json, socket]),
            CommandSyntax("events", "What happens, as it happens, until interrupted.", options: [json, socket]),
            CommandSyntax("journal", "The audit journal, oldest first; or what is done with it.",
                          operands: [OperandSyntax("ACTION", isOptional: true, "verify, checkpoint, ack, audit-key or export-evidence, below"),
                                     OperandSyntax("SEQUENCE", isOptional: true, "export-evidence: the number of the record")],
                          options: [json, socket,
                                    .flag("unproven", "what nobody proved (attempts, strangers) instead of the main chain"),
                                    .value("from", "SEQUENCE", "the first record wanted"),
                                    .value("since", "TIME", "only records of this time (UTC, 2026-01-31T08:00:00Z) or later"),
                                    .value("lane", "NAME", "only records of this lane"),
                                    .value("reason", "CODE", "only records with this reason"),
                                    .value("kind", "KIND", "only records of this kind: outcome, input, passage, mode, checkpoint and others"),
                                    .value("subject", "NAME", "only records of this person or account"),
                                    .value("limit", "COUNT", "at most so many records, the oldest"),
                                    .value("last", "COUNT", "only so many, the newest"),
                                    .flag("bodies", "all of the main chain as JSON with what hashes and signatures cover: to be taken away"),
                                    .value("since-checkpoint", "FILE", "verify: a checkpoint that was kept elsewhere"),
                                    .value("audit-key", "FILE", isRepeatable: true, "verify: an audit key that was kept elsewhere"),
                                    .value("through", "SEQUENCE", "the newest record wanted; ack: the newest that somebody has"),
                                    .value("checkpoint", "FILE", "the same, as a checkpoint names it"),
                                    .value("out", "FILE", "export-evidence, checkpoint, audit-key: where to (export-evidence: evidence-SEQUENCE.cbor)")],
                          details: "verify: every record follows from the one before it, and the signed checkpoints hold\n"
                              + "checkpoint: sign how far the journal reaches now; keep the file elsewhere\n"
                              + "ack: everything up to a record is in safe hands (audit.collect = \"export\")\n"
                              + "audit-key: the public half of the key that signs checkpoints\n"
                              + "export-evidence SEQUENCE: what the phone of a grant signed; tapstile-authority verify-evidence checks it"),
            CommandSyntax("test-lane", "Tries what is wired at a lane: relays, indicators, buzzer, outputs, inputs.",
                          operands: [OperandSyntax("LANE", "the lane; nobody is let through meanwhile")],
                          options: [json, socket, .value("inputs", "SECONDS", "wait so long for each input (default 20); 0 leaves them out")],
                          details: "Status 1 when something was not as expected. Enter leaves out the input that is waited for."),
            CommandSyntax("lane", "How a lane is; or does something with it.",
                          operands: [OperandSyntax("LANE", "the lane's name"),
                                     OperandSyntax("ACTION", isOptional: true, LaneRequest.words.joined(separator: ", ")),
                                     OperandSyntax("WHAT", isOptional: true, "in or out (hold-open, release), or the OUTPUT to toggle")],
                          options: [json, socket, .value("for", "TIME", "for how long a mode holds, as 90s, 30m or 8h (without it: until normal)")],
                          details: "Modes and arming stay over a restart and a power cut; a release is for one person, now."),
            CommandSyntax("passback", "Who is inside, as far as anti-passback knows; or counts people as gone.",
                          operands: [OperandSyntax("ACTION", isOptional: true, "show (what it does without), or reset")],
                          options: [json, socket, .value("zone", "ZONE", "only this zone"), .value("subject", "SUBJECT", "only this person"),
                                    .flag("all", "reset: everybody, in all zones")],
                          details: "People are shown by the beginning of the SHA-256 of their subject: the gate keeps no names."),
            CommandSyntax("explain", "Whether somebody would pass, by which rule and until when, or why not.",
                          options: [json, socket, .value("subject", "SUBJECT", "the person"),
                                    .value("key", "DIGITS", "a key or token, by the first 8 or more digits that events and journal show of it"),
                                    .value("lane", "NAME", "only at this lane"),
                                    .value("at", "TIME", "at this time instead of now: 18:03 or '2026-01-31 18:03' by the site's clock; with an offset; or UTC (2026-01-31T17:03:00Z)"),
                                    .value("command", "NAME", "for this command instead of passing")],
                          details: "Judged by the rules of a tap, as if the phone were unlocked with its app in front; nothing changes.\n"
                              + "Status 1 when there is nothing to judge, or nothing in the site data names that person or key."),
            CommandSyntax("simulate", "Lets a simulated input change, on a gate that is tried without its machine.",
                          operands: [OperandSyntax("LINE", "the input: LANE-INPUT, or gate:INPUT for one of the whole gate"),
                                     OperandSyntax("STATE", "on or off")],
                          options: [json, socket, .value("for", "MILLISECONDS", "it goes back after so long, at most a minute")]),
            CommandSyntax("reload", "Reads the configuration again; on any error the old one stays.", options: [json, socket]),
            CommandSyntax("clock", "Says that the machine's time is right, or fixes what the gate remembers of it.",
                          operands: [OperandSyntax("ACTION", "confirm: the time is right; reset-floor: forget times that lie ahead of the machine's clock")],
                          options: [json, socket],
                          details: "Compare the machine's time (timedatectl) with a clock that you trust, and set it first.\n"
                              + "confirm is for operators: from then on lanes open by their plans. Where the clock has jumped\n"
                              + "(clock-jump), or nobody vouches for it, only root may confirm it.\n"
                              + "reset-floor is for root: what lies ahead of the machine's time is forgotten, and what has\n"
                              + "expired since could open again. Site data that were issued ahead of it are set aside."),
            CommandSyntax("sync", "Has the gate look for newer site data now.",
                          options: [json, socket, .flag("wait", "until it has, and say what came of it; status 1 if it failed")]),
            CommandSyntax("import", "Takes a copy of the site's repository.",
                          operands: [OperandSyntax("FOLDER", "a folder, such as a stick, that `tapstile-authority publish --stick` wrote")],
                          options: [json, socket],
                          details: "It is read until the gate is done with it: leave a stick where it is as long.")
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
        case "check-site":
            return SiteCommands.check(path: command.operand(0), configuration: command.value("config"), json: json)
        case "effective-config":
            return ConfigurationCommands.effective(path: command.operand(0), json: json)
        default:
            let gate = try GateConnection(path: command.value("socket"))
            return try GateCommands(gate: gate, json: json).run(command)
        }
    }
}

/// The command that looks at a site's file and needs no running gate.
enum SiteCommands {
    /// Where the site's file lies on a gate without an authority.
    static let standardPath = "/etc/tapstile/site.toml"

    /// Says everything that is wrong, each with its place. Lanes are those of the gate's configuration, if there is one.
    static func check(path given: String?, configuration: String?, json: Bool) -> ExitStatus {
        let loaded: GateConfiguration?
        do throws(InvalidConfiguration) {
            loaded = try gate(configuration)
        } catch {
            for issue in error.issues { ConfigurationCommands.report(issue, json) }
            return .failure
        }
        let path = given ?? loaded?.trust.siteFile ?? standardPath
        return check(path, loaded.map { SiteFileContext($0) } ?? SiteFileContext(hasPeople: true), json)
    }

    /// A configuration that somebody names must be right; the usual one need not be there.
    private static func gate(_ path: String?) throws(InvalidConfiguration) -> GateConfiguration? {
        if let path { return try ConfigurationFile.load(path: path, checkingFiles: false).configuration }
        return try? ConfigurationFile.load(path: ConfigurationCommands.standardPath, checkingFiles: false).configuration
    }

    private static func check(_ path: String, _ context: SiteFileContext, _ json: Bool) -> ExitStatus {
        do throws(InvalidSiteFile) {
            let site = try SiteFile.load(path: path, in: context)
            for issue in site.warnings { ConfigurationCommands.report(issue, json) }
            if json {
                StandardStream.output.write([
                    "file": .string(path), "errors": 0, "warnings": .integer(Int64(site.warnings.count)),
                    "people": .integer(Int64(site.people.count)), "rules": .integer(Int64(site.rules.records.count)),
                    "memberships": .integer(Int64(site.memberships.count))
                ])
            } else {
                StandardStream.output.write(line: "\(path): in order")
            }
            return .success
        } catch {
            for issue in error.issues { ConfigurationCommands.report(issue, json) }
            if !json { StandardStream.error.write(line: "tapstile: \(error.code): \(error.message)") }
            return .failure
        }
    }
}
