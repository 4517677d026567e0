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

extension JSON {
    /// The bytes that TUF metadata is signed over: the older canonical form of the OLPC project, which
    /// the TUF specification (4.1) names, not that of RFC 8785. No white space; members sorted by the
    /// Unicode code points of their keys; in strings only `"` and `\` are escaped and everything else,
    /// control characters too, stands as it is; integers only.
    /// - Returns: nil if there is a number that is no 64-bit integer, for which this form has no text.
    public var signedForm: [UInt8]? {
        var writer = SignedFormWriter()
        return writer.append(self) ? writer.bytes : nil
    }
}

private struct SignedFormWriter {
    private(set) var bytes: [UInt8] = []

    /// False when there is no form for the value.
    mutating func append(_ value: JSON) -> Bool {
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .integer(let value): bytes += String(value).utf8
        case .number: return false
        case .string(let value): append(string: value)
        case .array(let values): return append(array: values)
        case .object(let object): return append(object: object)
        }
        return true
    }

    private mutating func append(array values: [JSON]) -> Bool {
        bytes.append(UInt8(ascii: "["))
        for (place, value) in values.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            guard append(value) else { return false }
        }
        bytes.append(UInt8(ascii: "]"))
        return true
    }

    private mutating func append(object: JSONObject) -> Bool {
        bytes.append(UInt8(ascii: "{"))
        for (place, member) in sorted(object).enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            append(string: member.key)
            bytes.append(UInt8(ascii: ":"))
            guard append(member.value) else { return false }
        }
        bytes.append(UInt8(ascii: "}"))
        return true
    }

    /// The bytes of UTF-8 sort as the code points do. The members come in the order of UTF-16, which is
    /// another one only where a key has a character beyond U+FFFF.
    private func sorted(_ object: JSONObject) -> [JSONObject.Member] {
        object.members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }

    private mutating func append(string: String) {
        bytes.append(UInt8(ascii: "\""))
        for character in string.utf8 {
            if character == UInt8(ascii: "\"") || character == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(character)
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

/// How much a JSON text may hold before it is refused. What a length in bytes does not bound is memory: an
/// array of a million empty arrays is two megabytes of text and many more of values.
public struct JSONBounds: Hashable, Sendable {
    /// How many arrays and objects may lie inside one another, at most `JSON.maximumDepth`: reading recurses.
    public let depth: Int
    /// How many values there may be in all; the members of objects and the arrays and objects themselves count too.
    public let values: Int

    /// Bounds; a depth beyond `JSON.maximumDepth` is that.
    public init(depth: Int = JSON.maximumDepth, values: Int = .max) {
        self.depth = min(depth, JSON.maximumDepth)
        self.values = values
    }
}
