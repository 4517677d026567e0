/// Reads fields one after the other, the least significant byte first, as Bluetooth has them
/// (Core 5.4, Vol 3 Part F, 3.3.1 and Vol 4 Part E, 5.2). Answers nil where the bytes do not suffice.
struct LittleEndianReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    var isAtEnd: Bool { rest.isEmpty }
    var count: Int { rest.count }

    mutating func byte() -> UInt8? { rest.popFirst() }

    mutating func number16() -> UInt16? {
        guard rest.count >= 2, let low = rest.popFirst(), let high = rest.popFirst() else { return nil }
        return UInt16(low) | UInt16(high) << 8
    }

    mutating func bytes(_ count: Int) -> [UInt8]? {
        guard count >= 0, rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// Whatever is left.
    mutating func remaining() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }
}

extension UInt16 {
    /// The least significant byte first.
    var littleEndianBytes: [UInt8] { [UInt8(truncatingIfNeeded: self), UInt8(truncatingIfNeeded: self >> 8)] }
}
