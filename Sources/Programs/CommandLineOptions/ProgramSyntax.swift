/// What a program takes on its command line: either one of several commands, or one command only.
///
/// ```
/// let syntax = ProgramSyntax("tapstile", "Asks and tells a running gate.", commands: [
///     CommandSyntax("import", "Takes site data from a file.",
///                   operands: [OperandSyntax("FILE", "what the authority exported")],
///                   options: [.flag("json", "one JSON object")])
/// ])
/// switch try syntax.read(Array(CommandLine.arguments.dropFirst())) {
/// case .text(let text): // --help, --version
/// case .run(let command): command.name; command.has("json"); try command.operand(0)
/// }
/// ```
public struct ProgramSyntax: Sendable {
    /// The name of the program.
    public let name: String
    /// Its version, for `--version`.
    public let version: String
    /// What it does, in one line.
    public let summary: String
    let shape: Shape

    enum Shape: Sendable {
        /// The first argument names one of these.
        case commands([CommandSyntax])
        /// There is no name to give.
        case single(CommandSyntax)
    }

    /// A program with commands.
    public init(_ name: String, version: String = ProductVersion.current, _ summary: String, commands: [CommandSyntax]) {
        self.name = name
        self.version = version
        self.summary = summary
        shape = .commands(commands)
    }

    /// A program that does one thing.
    public init(_ name: String, version: String = ProductVersion.current, _ summary: String, operands: [OperandSyntax] = [],
                options: [OptionSyntax] = [], details: String = "") {
        self.name = name
        self.version = version
        self.summary = summary
        shape = .single(CommandSyntax(name, summary, operands: operands, options: options, details: details))
    }

    /// Reads the arguments, without the program's own name.
    /// - Throws: `CommandLineError`, of which the sentence is for the person who typed.
    public func read(_ arguments: [String]) throws(CommandLineError) -> CommandLineRequest {
        switch shape {
        case .single(let command):
            return try read(arguments[...], of: command)
        case .commands(let commands):
            guard let first = arguments.first else { throw .noCommand(known: commands.map(\.name)) }
            if first == "--help" || first == "-h" { return .text(help) }
            if first == "--version" { return .text(versionText) }
            if first == "help" { return try help(about: arguments.dropFirst().first, among: commands) }
            guard let command = commands.first(where: { $0.name == first }) else {
                throw .unknownCommand(first, known: commands.map(\.name))
            }
            return try read(arguments.dropFirst(), of: command)
        }
    }

    private func read(_ arguments: ArraySlice<String>, of command: CommandSyntax)
        throws(CommandLineError) -> CommandLineRequest {
        var reader = ArgumentReader(command, arguments)
        switch try reader.read() {
        case .help: return .text(help(for: command))
        case .version: return .text(versionText)
        case .command(let parsed): return .run(parsed)
        }
    }

    private func help(about name: String?, among commands: [CommandSyntax])
        throws(CommandLineError) -> CommandLineRequest {
        guard let name else { return .text(help) }
        guard let command = commands.first(where: { $0.name == name }) else {
            throw .unknownCommand(name, known: commands.map(\.name))
        }
        return .text(help(for: command))
    }

    private var versionText: String { "\(name) \(version)" }
}

extension ProgramSyntax {
    /// A program from its arguments to its exit status: answers requests for help itself, and tells on
    /// standard error what went wrong.
    /// - Parameters:
    ///   - arguments: without the program's own name.
    ///   - json: whether errors are told as JSON, also when the arguments are wrong.
    ///   - unknown: the code of an error that is no `ReportableError`.
    ///   - body: the program's work; answers the exit status.
    public func run(_ arguments: [String], json: Bool, unknown: String, _ body: (ParsedCommand) throws -> Int32) -> Int32 {
        do {
            switch try read(arguments) {
            case .text(let text):
                StandardStream.output.write(lines: text)
                return ExitStatus.success.rawValue
            case .run(let command):
                return try body(command)
            }
        } catch let error as any ReportableError {
            StandardStream.error.report(name, code: error.code, message: error.message, details: error.details, json: json)
            return error.exitStatus.rawValue
        } catch {
            StandardStream.error.report(name, code: unknown, message: "\(error)", json: json)
            return ExitStatus.failure.rawValue
        }
    }
}

extension ProgramSyntax {
    /// The help of the whole program.
    var help: String {
        switch shape {
        case .single(let command): return help(for: command)
        case .commands(let commands):
            let rows = commands.map { ($0.name, $0.summary) }
            return """
                \(summary)

                Usage: \(name) COMMAND [OPTIONS]

                \(Self.table(rows))

                '\(name) help COMMAND' tells what a command takes; '\(name) --version' names the version.
                """
        }
    }

    /// The help of one command.
    func help(for command: CommandSyntax) -> String {
        var parts = [command.summary, "Usage: \(usage(of: command))"]
        let operands = command.operands.map { ($0.name, $0.summary) }
        let options = command.options.map { ($0.form, $0.summary + ($0.isRepeatable ? " (may be repeated)" : "")) }
        let rows = operands + options + [("--help", "this text"), ("--version", "the version")]
        parts.append(Self.table(rows))
        if !command.details.isEmpty { parts.append(command.details) }
        return parts.joined(separator: "\n\n")
    }

    private func usage(of command: CommandSyntax) -> String {
        var words = [name]
        if case .commands = shape { words.append(command.name) }
        if !command.options.isEmpty { words.append("[OPTIONS]") }
        return (words + command.operands.map(\.form)).joined(separator: " ")
    }

    private static func table(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { name, summary in
            "  \(name)\(String(repeating: " ", count: width - name.count))  \(summary)"
        }.joined(separator: "\n")
    }
}

/// The version of the product; every program has the same one (CHANGELOG.md).
public enum ProductVersion {
    /// Major, minor and patch.
    public static let current = "0.1.0"
}

/// What a person asked a program for.
public enum CommandLineRequest: Sendable {
    /// Help or version: to be printed on standard output; exit status 0.
    case text(String)
    /// A command with its options, all of them known and with values where needed.
    case run(ParsedCommand)
}
