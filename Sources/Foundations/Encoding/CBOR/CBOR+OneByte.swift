extension CBOR {
    /// Whether a byte is the whole encoding of an integer, which is then from −24 to 23 (RFC 8949, 3.1).
    public static func isInteger(ofOneByte byte: UInt8) -> Bool {
        (0x00...0x17).contains(byte) || (0x20...0x37).contains(byte)
    }
}
