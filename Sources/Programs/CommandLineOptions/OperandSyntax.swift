/// An argument without a name, such as the file of `tapstile import FILE`.
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
