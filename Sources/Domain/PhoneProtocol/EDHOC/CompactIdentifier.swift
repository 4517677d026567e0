import Encoding

/// Byte string identifiers on the wire (RFC 9528, 3.3.2): a byte string that is itself the one-byte
/// encoding of an integer from −24 to 23 travels as that integer, every other one as a byte string.
enum CompactIdentifier {
    /// The wire form.
    static func encode(_ identifier: [UInt8]) -> [UInt8] {
        if isInteger(identifier) { return identifier }
        var wire: [UInt8] = []
        wire.reserveCapacity(identifier.count + 2)
        wire.appendByteString(identifier)
        return wire
    }

    /// The identifier in a wire item, or nil if the item is of another type or in the longer form
    /// although the short one exists.
    static func decode(_ item: CBOR) -> [UInt8]? {
        if let bytes = item.bytes {
            return isInteger(bytes) ? nil : bytes
        }
        switch item.integer {
        case .some(let value) where (0...23).contains(value): return [UInt8(value)]
        case .some(let value) where (-24...(-1)).contains(value): return [0x20 | UInt8(-1 - value)]
        case .some, .none: return nil
        }
    }

    private static func isInteger(_ identifier: [UInt8]) -> Bool {
        identifier.count == 1 && CBOR.isInteger(ofOneByte: identifier[0])
    }
}
