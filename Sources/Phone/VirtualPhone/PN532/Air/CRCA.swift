/// The checksum of frames at ISO/IEC 14443 type A (ISO/IEC 14443-3, annex B): polynomial x^16 + x^12 + x^5 + 1,
/// started at 6363, sent with the low byte first.
enum CRCA {
    static let length = 2

    static func checksum(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let crc = bytes.reduce(UInt16(0x6363)) { crc, byte in
            var mixed = byte ^ UInt8(crc & 0xFF)
            mixed ^= mixed << 4
            return (crc >> 8) ^ (UInt16(mixed) << 8) ^ (UInt16(mixed) << 3) ^ (UInt16(mixed) >> 4)
        }
        return [UInt8(crc & 0xFF), UInt8(crc >> 8)]
    }
}
