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
