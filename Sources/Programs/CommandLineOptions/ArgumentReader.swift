/// Goes through the arguments of one command. Options and operands may be mixed; after `--` everything
/// is an operand.
struct ArgumentReader {
    private let syntax: CommandSyntax
    private var rest: ArraySlice<String>
    private var operands: [String] = []
    private var given: [String: [String]] = [:]

    /// What the arguments ask for.
    enum Answer {
        case help
        case version
        case command(ParsedCommand)
    }

    init(_ syntax: CommandSyntax, _ arguments: ArraySlice<String>) {
        self.syntax = syntax
        rest = arguments
    }

    mutating func read() throws(CommandLineError) -> Answer {
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": return .help
            case "--version": return .version
            case "--":
                for operand in rest { try accept(operand: operand) }
                rest = []
            default:
                if argument.hasPrefix("--") {
                    try accept(option: argument.dropFirst(2))
                } else if argument.hasPrefix("-"), argument != "-", Int(argument) == nil {
                    throw .unknownOption(String(argument.dropFirst()), known: syntax.options.map(\.name))
                } else {
                    try accept(operand: argument)
                }
            }
        }
        if let missing = syntax.operands.dropFirst(operands.count).first(where: { !$0.isOptional }) {
            throw .operandMissing(missing.name)
        }
        return .command(ParsedCommand(name: syntax.name, operands: operands, given: given))
    }

    private mutating func accept(option written: Substring) throws(CommandLineError) {
        let parts = written.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = syntax.option(name) else {
            throw .unknownOption(name, known: syntax.options.map(\.name) + ["help", "version"])
        }
        guard option.isRepeatable || given[name] == nil else { throw .optionTwice(name) }
        given[name, default: []].append(try value(of: option, inline: parts.dropFirst().first.map(String.init)))
    }

    /// An option without a value is kept as given with an empty one.
    private mutating func value(of option: OptionSyntax, inline: String?) throws(CommandLineError) -> String {
        guard option.value != nil else {
            guard inline == nil else { throw .valueNotWanted(option: option.name) }
            return ""
        }
        if let inline { return inline }
        // What looks like the next option is a forgotten value more often than a value.
        guard let next = rest.first, !next.hasPrefix("--") else { throw .valueMissing(option: option.name) }
        rest.removeFirst()
        return next
    }

    private mutating func accept(operand: String) throws(CommandLineError) {
        guard operands.count < syntax.operands.count else { throw .operandNotWanted(operand) }
        operands.append(operand)
    }
}
