/// What goes over the air in one piece, with its checksum where it has one.
public struct AirFrame: Hashable, Sendable {
    public let bytes: [UInt8]
    /// How many bits of the last byte are sent; 0 means all of them. 7 in the short frames REQA and WUPA.
    public let lastBits: Int

    public init(_ bytes: [UInt8], lastBits: Int = 0) {
        self.bytes = bytes
        self.lastBits = lastBits
    }

    /// A frame with its checksum behind the payload.
    init(checked payload: [UInt8]) {
        self.init(payload + CRCA.checksum(payload))
    }

    /// Without the checksum; nil when it is wrong, or there cannot be one.
    var payload: [UInt8]? {
        guard lastBits == 0, bytes.count > CRCA.length else { return nil }
        let payload = Array(bytes.dropLast(CRCA.length))
        return CRCA.checksum(payload) == Array(bytes.suffix(CRCA.length)) ? payload : nil
    }

    /// Bits on the air: each whole byte has a parity bit; one bit starts the frame (ISO/IEC 14443-3, 6.2.3).
    var bitCount: Int {
        lastBits == 0 ? 1 + bytes.count * 9 : 1 + max(0, bytes.count - 1) * 9 + lastBits
    }
}
