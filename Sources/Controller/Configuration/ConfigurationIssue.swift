import Encoding

/// One thing that is wrong with a configuration, where it is and how to fix it.
public struct ConfigurationIssue: Error, Hashable, Sendable {
    /// Errors keep the configuration from being used; warnings are said and no more.
    public enum Severity: String, Sendable {
        case error, warning
    }

    public let severity: Severity
    public let file: String
    /// From 1. Nil when the file as a whole is meant.
    public let position: TextPosition?
    /// Stable, kebab-case: operators grep for it.
    public let code: String
    /// A sentence for people.
    public let message: String
    /// What the writer probably meant.
    public let suggestion: String?

    public init(severity: Severity, file: String, position: TextPosition?, code: String, message: String,
                suggestion: String? = nil) {
        self.severity = severity
        self.file = file
        self.position = position
        self.code = code
        self.message = message
        self.suggestion = suggestion
    }
}

extension ConfigurationIssue: CustomStringConvertible {
    /// `file:line:column: error unknown-setting: sentence. Did you mean "x"?` It is one line, whatever stands in the file.
    public var description: String {
        let place = position.map { "\(file):\($0.line):\($0.column)" } ?? file
        let hint = suggestion.map { " Did you mean \"\($0)\"?" } ?? ""
        return PrintedText.line("\(place): \(severity.rawValue) \(code): \(message)\(hint)")
    }
}
