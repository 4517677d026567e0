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

/// Numbers as ECMAScript writes them, which RFC 8785, 3.2.2.3 makes the canonical form.
enum JSONNumber {
    /// The shortest digits that give the same number back. JSON has no infinity and no NaN; a program
    /// that makes one gets `null`, as in ECMAScript.
    static func text(_ value: Double) -> String {
        guard value.isFinite else { return "null" }
        guard value != 0 else { return "0" }
        let (digits, point) = shortest(value.magnitude)
        return (value < 0 ? "-" : "") + place(digits, point)
    }

    /// The shortest digits without zeros at either end, and how many of them stand before the point.
    /// Swift prints the shortest digits too, as `123.25`, `0.001` or `1.5e-07`.
    private static func shortest(_ value: Double) -> (digits: [UInt8], point: Int) {
        let parts = value.description.utf8.split(separator: UInt8(ascii: "e"))
        let exponent = parts.count > 1 ? Int(String(decoding: parts[1], as: UTF8.self)) ?? 0 : 0
        let mantissa = parts[0].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let whole = Array(mantissa[0])
        let all = whole + (mantissa.count > 1 ? Array(mantissa[1]) : [])
        let zero = UInt8(ascii: "0")
        let significant = all.drop { $0 == zero }
        let end = significant.lastIndex { $0 != zero }.map { $0 + 1 } ?? significant.startIndex
        let point = whole.count - significant.startIndex + exponent
        return (Array(significant[..<end]), point)
    }

    /// Number::toString of ECMAScript, steps 6 to 12.
    private static func place(_ digits: [UInt8], _ point: Int) -> String {
        let text = String(decoding: digits, as: UTF8.self)
        let zeros = { String(repeating: "0", count: $0) }
        switch point {
        case digits.count...21 where digits.count <= 21:
            return text + zeros(point - digits.count)
        case 1...21:
            return text.prefix(point) + "." + text.dropFirst(point)
        case -5...0:
            return "0." + zeros(-point) + text
        default:
            let exponent = point - 1
            let fraction = digits.count > 1 ? "." + text.dropFirst() : ""
            return "\(text.prefix(1))\(fraction)e\(exponent < 0 ? "-" : "+")\(exponent.magnitude)"
        }
    }
}
