/// A JSON value (RFC 8259).
///
/// Text is compared byte by byte, not by Unicode equivalence.
public enum JSON: Sendable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A number written without fraction and exponent that fits 64 bits.
    case integer(Int64)
    /// Any other number; always finite.
    case number(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([JSON])
    /// An object.
    case object(JSONObject)

    /// How many arrays and objects may lie inside one another.
    public static let maximumDepth = 32

    /// Reads one value with nothing but white space around it, strictly as RFC 8259 says. Also refused:
    /// the same key twice in an object, `\u` escapes of half a character, numbers too large for a
    /// `Double`, a byte order mark, and more levels or values than `bounds` allow.
    /// - Throws: `JSONError` with line and column.
    public static func parse(_ bytes: [UInt8], within bounds: JSONBounds = JSONBounds()) throws(JSONError) -> JSON {
        var parser = JSONParser(bytes, within: bounds)
        return try parser.document()
    }

    /// The canonical form in UTF-8 (RFC 8785): sorted keys, no white space, no line break. Integers keep
    /// all their digits, also beyond 2^53.
    public var canonical: [UInt8] {
        var writer = JSONWriter()
        writer.append(self)
        return writer.bytes
    }

    /// The canonical form as a string.
    public var text: String { String(decoding: canonical, as: UTF8.self) }
}

extension JSON: Hashable {
    /// Equal when the cases and the bytes of all strings are.
    public static func == (left: JSON, right: JSON) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.integer(let a), .integer(let b)): a == b
        case (.number(let a), .number(let b)): a == b
        case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)): a == b
        case (.null, _), (.bool, _), (.integer, _), (.number, _), (.string, _), (.array, _), (.object, _):
            false
        }
    }

    /// Feeds the contents.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value)
        case .string(let value): hasher.combine(value)
        case .array(let value): hasher.combine(value)
        case .object(let value): hasher.combine(value)
        }
    }
}
