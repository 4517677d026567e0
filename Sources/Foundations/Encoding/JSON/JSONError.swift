/// Why bytes were refused as JSON, and where.
public struct JSONError: Error, Hashable, Sendable {
    /// What was wrong; the raw value is the stable code.
    public enum Kind: String, Sendable, CaseIterable {
        /// The input ends inside a value.
        case truncated = "json-truncated"
        /// Something follows the value.
        case trailingBytes = "json-trailing-bytes"
        /// Another character was due here.
        case unexpectedCharacter = "json-unexpected-character"
        /// A number that is not written as JSON numbers are.
        case invalidNumber = "json-invalid-number"
        /// A number too large for a `Double`.
        case numberOutOfRange = "json-number-out-of-range"
        /// A string with bytes that are not UTF-8.
        case invalidText = "json-invalid-text"
        /// A control character in a string that is not escaped.
        case controlCharacter = "json-control-character"
        /// An escape that JSON does not know, or half of a surrogate pair.
        case invalidEscape = "json-invalid-escape"
        /// The same key twice in an object.
        case duplicateKey = "json-duplicate-key"
        /// More levels than allowed, `JSON.maximumDepth` at most.
        case tooDeep = "json-too-deep"
        /// More values than allowed.
        case tooManyValues = "json-too-many-values"
    }

    /// What was wrong.
    public let kind: Kind
    /// The line, counted from 1.
    public let line: Int
    /// The column in Unicode characters (scalars), counted from 1.
    public let column: Int

    /// An error at a place.
    public init(_ kind: Kind, line: Int, column: Int) {
        self.kind = kind
        self.line = line
        self.column = column
    }

    /// The stable code.
    public var code: String { kind.rawValue }

    /// One sentence for people.
    public var message: String {
        let what =
            switch kind {
            case .truncated: "The JSON text ends inside a value"
            case .trailingBytes: "Something follows the JSON value"
            case .unexpectedCharacter: "This character cannot stand here in JSON"
            case .invalidNumber: "This is no JSON number"
            case .numberOutOfRange: "This number is too large"
            case .invalidText: "This string is not valid UTF-8"
            case .controlCharacter: "A control character in a string must be escaped"
            case .invalidEscape: "This escape does not exist in JSON"
            case .duplicateKey: "This object has the same key twice"
            case .tooDeep: "JSON values are nested too deep"
            case .tooManyValues: "There are too many JSON values"
            }
        return "\(what) (line \(line), column \(column))."
    }
}
