/// Writes JSON in canonical form (RFC 8785).
struct JSONWriter {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ value: JSON) {
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .integer(let value): bytes += String(value).utf8
        case .number(let value): bytes += JSONNumber.text(value).utf8
        case .string(let value): append(string: value)
        case .array(let values):
            append(values, open: "[", close: "]") { $0.append($1) }
        case .object(let object):
            append(object.members, open: "{", close: "}") { writer, member in
                writer.append(string: member.key)
                writer.bytes.append(UInt8(ascii: ":"))
                writer.append(member.value)
            }
        }
    }

    private mutating func append<Element>(
        _ elements: [Element], open: Unicode.Scalar, close: Unicode.Scalar,
        each: (inout JSONWriter, Element) -> Void
    ) {
        bytes.append(UInt8(ascii: open))
        for (place, element) in elements.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            each(&self, element)
        }
        bytes.append(UInt8(ascii: close))
    }

    /// Only what must be escaped is (RFC 8785, 3.2.2.2).
    private mutating func append(string: String) {
        bytes.append(UInt8(ascii: "\""))
        for character in string.utf8 {
            switch character {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), character]
            case 0x08: bytes += "\\b".utf8
            case 0x09: bytes += "\\t".utf8
            case 0x0A: bytes += "\\n".utf8
            case 0x0C: bytes += "\\f".utf8
            case 0x0D: bytes += "\\r".utf8
            case 0..<0x20: bytes += "\\u00\(Hex.encode([character]))".utf8
            default: bytes.append(character)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
