/// Writing CBOR heads straight into a buffer. The inputs of hashes and MACs are built this way, so
/// that nothing is copied into a tree first on the way from the phone's last byte to the decision.
extension [UInt8] {
    /// A head of RFC 8949, 3.1, in its shortest form.
    mutating func appendHead(major: UInt8, _ argument: UInt64) {
        let type = major << 5
        if argument < 24 {
            append(type | UInt8(argument))
        } else if argument < 0x100 {
            append(type | 24)
            append(UInt8(argument))
        } else if argument < 0x1_0000 {
            append(type | 25)
            appendBigEndian(argument, count: 2)
        } else if argument < 0x1_0000_0000 {
            append(type | 26)
            appendBigEndian(argument, count: 4)
        } else {
            append(type | 27)
            appendBigEndian(argument, count: 8)
        }
    }

    /// A byte string with these bytes.
    mutating func appendByteString(_ bytes: [UInt8]) {
        appendHead(major: 2, UInt64(bytes.count))
        append(contentsOf: bytes)
    }

    /// An integer of either sign.
    mutating func appendInteger(_ value: Int) {
        if value >= 0 {
            appendHead(major: 0, UInt64(value))
        } else {
            appendHead(major: 1, UInt64(-(value + 1)))
        }
    }

    private mutating func appendBigEndian(_ value: UInt64, count: Int) {
        for byte in (0..<count).reversed() {
            append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(byte))))
        }
    }

    /// How long the head of an item with this argument is.
    static func headLength(_ argument: Int) -> Int {
        argument < 24 ? 1 : argument < 0x100 ? 2 : argument < 0x1_0000 ? 3 : 5
    }
}
