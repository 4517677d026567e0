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
