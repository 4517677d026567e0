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
