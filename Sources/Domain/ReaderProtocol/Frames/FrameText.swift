/// The fields of a frame, one behind the other.
struct FrameText {
    private(set) var bytes: [UInt8] = []

    mutating func add(_ byte: UInt8) { bytes.append(byte) }

    mutating func add(_ word: UInt16) {
        add(UInt8(word >> 8))
        add(UInt8(word & 0xFF))
    }

    mutating func add(_ long: UInt32) {
        add(UInt16(long >> 16))
        add(UInt16(long & 0xFFFF))
    }

    mutating func add(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

    mutating func add(_ more: [UInt8]) { bytes += more }

    /// With their number, one byte, before them; the types of the values see to it that it fits.
    mutating func add(counted more: [UInt8]) {
        add(UInt8(more.count))
        add(more)
    }
}
