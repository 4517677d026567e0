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
