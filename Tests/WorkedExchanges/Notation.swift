import Encoding

/// CBOR in diagnostic notation (RFC 8949, 8), as far as the worked exchanges need it.
enum Notation {
    static func describe(_ item: CBOR) -> String {
        switch item {
        case .unsigned(let value): "\(value)"
        case .negative(let value): "-\(value + 1)"
        case .bytes(let bytes): "h'\(Hex.encode(bytes))'"
        case .text(let text): "\"\(text)\""
        case .array(let items): "[" + items.map(describe).joined(separator: ", ") + "]"
        case .map(let map): "{" + map.map { "\(describe($0.key)): \(describe($0.value))" }.joined(separator: ", ") + "}"
        case .tagged(let tag, let content): "\(tag)(\(describe(content)))"
        case .simple(20): "false"
        case .simple(21): "true"
        case .simple(22): "null"
        case .simple(let value): "simple(\(value))"
        case .float(let value): "\(value)"
        }
    }
}
