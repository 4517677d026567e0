/// What one command of a program takes.
public struct CommandSyntax: Sendable {
    /// Its name, such as `import`; for a program with one command only, that of the program.
    public let name: String
    /// What it does, in one line.
    public let summary: String
    /// Arguments without a name, in their order.
    public let operands: [OperandSyntax]
    /// Its options; `--help` and `--version` need not be named.
    public let options: [OptionSyntax]
    /// More to say in its help; lines are kept as they are.
    public let details: String

    /// A command.
    public init(_ name: String, _ summary: String, operands: [OperandSyntax] = [], options: [OptionSyntax] = [],
                details: String = "") {
        self.name = name
        self.summary = summary
        self.operands = operands
        self.options = options
        self.details = details
    }

    func option(_ name: String) -> OptionSyntax? { options.first { $0.name == name } }
}

/// An argument without a name, such as the folder of `tapstile import FOLDER`.
public struct OperandSyntax: Hashable, Sendable {
    /// What it is called in the help.
    public let name: String
    /// Whether it may be left out.
    public let isOptional: Bool
    /// What it is, in a few words.
    public let summary: String

    /// An operand. Optional ones come last.
    public init(_ name: String, isOptional: Bool = false, _ summary: String) {
        self.name = name
        self.isOptional = isOptional
        self.summary = summary
    }

    var form: String { isOptional ? "[\(name)]" : name }
}

/// One option of a command, as people may write it: `--valid 30d`, `--valid=30d`, `--json`.
public struct OptionSyntax: Hashable, Sendable {
    /// Its name without the two dashes.
    public let name: String
    /// What its value is called in the help; nil for an option that takes none.
    public let value: String?
    /// Whether it may be given more than once.
    public let isRepeatable: Bool
    /// What it does, in a few words.
    public let summary: String

    /// An option without a value: it is there or not.
    public static func flag(_ name: String, _ summary: String) -> OptionSyntax {
        OptionSyntax(name: name, value: nil, isRepeatable: false, summary: summary)
    }

    /// An option with a value, called `value` in the help.
    public static func value(_ name: String, _ value: String, isRepeatable: Bool = false,
                             _ summary: String) -> OptionSyntax {
        OptionSyntax(name: name, value: value, isRepeatable: isRepeatable, summary: summary)
    }

    /// `--name VALUE`
    var form: String { value.map { "--\(name) \($0)" } ?? "--\(name)" }
}
