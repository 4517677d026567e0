import Encoding

/// One thing that is wrong with a list of people.
public struct ImportIssue: Hashable, Sendable, CustomStringConvertible {
    /// Where it is.
    public let position: CSVPosition
    /// Stable code.
    public let code: String
    /// One English sentence for people.
    public let message: String

    init(_ position: CSVPosition, code: String, _ message: String) {
        self.position = position
        self.code = code
        self.message = message
    }

    /// `LINE:COLUMN: CODE: message`
    public var description: String { "\(position.line):\(position.column): \(code): \(message)" }
}
