import Encoding

extension CBOR {
    /// Diagnostic notation (RFC 8949, 8), as far as the vectors need it.
    var diagnostic: String {
        switch self {
        case .unsigned(let value): "\(value)"
        case .negative(.max): "-18446744073709551616"
        case .negative(let value): "-\(value + 1)"
        case .bytes(let value): "h'\(Hex.encode(value))'"
        case .text(let value):
            "\"" + value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        case .array(let items): "[" + items.map(\.diagnostic).joined(separator: ", ") + "]"
        case .map(let map):
            "{" + map.map { "\($0.key.diagnostic): \($0.value.diagnostic)" }.joined(separator: ", ") + "}"
        case .tagged(let tag, let item): "\(tag)(\(item.diagnostic))"
        case .simple(20): "false"
        case .simple(21): "true"
        case .simple(22): "null"
        case .simple(23): "undefined"
        case .simple(let value): "simple(\(value))"
        case .float(let value): value.isFinite ? "\(value)" : value.isNaN ? "NaN" : value > 0 ? "Infinity" : "-Infinity"
        }
    }
}
