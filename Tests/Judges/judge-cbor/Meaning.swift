import Encoding

extension CBOR {
    /// The item in a notation without spaces that the other side can make from its own values: `i-5`,
    /// `b0102`, `t6162` (the UTF-8 bytes), `[…,…]`, `{key>value,…}` in our order, `T18(…)`, `s16`, `true`,
    /// `false`, `null`, `undefined`, `f` with the bits of the double (`fNaN` for all NaNs).
    var meaning: String {
        switch self {
        case .unsigned(let value): "i\(value)"
        case .negative(let value): integer.map { "i\($0)" } ?? "i-\(UInt128(value) + 1)"
        case .bytes(let value): "b" + Hex.encode(value)
        case .text(let value): "t" + Hex.encode(value.utf8)
        case .array(let items): "[" + items.map(\.meaning).joined(separator: ",") + "]"
        case .map(let map):
            "{" + map.map { $0.key.meaning + ">" + $0.value.meaning }.joined(separator: ",") + "}"
        case .tagged(let tag, let item): "T\(tag)(\(item.meaning))"
        case .simple(20), .simple(21): bool == true ? "true" : "false"
        case .simple(22): "null"
        case .simple(23): "undefined"
        case .simple(let value): "s\(value)"
        case .float(let value): value.isNaN ? "fNaN" : "f" + hexadecimal(value.bitPattern)
        }
    }
}

private func hexadecimal(_ bits: UInt64) -> String {
    Hex.encode((0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) })
}
