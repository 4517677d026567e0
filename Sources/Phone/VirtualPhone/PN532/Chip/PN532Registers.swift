/// The registers of the contactless interface, as far as anybody reads what they wrote. All begin with zero, except where it
/// matters to somebody.
struct PN532Registers {
    static let transmitMode: UInt16 = 0x6302
    static let receiveMode: UInt16 = 0x6303
    static let fifoData: UInt16 = 0x6339
    static let control: UInt16 = 0x633C
    static let bitFraming: UInt16 = 0x633D

    private static let checksumBit: UInt8 = 0x80
    private static let lastBitsMask: UInt8 = 0x07

    private var values: [UInt16: UInt8] = [:]

    subscript(address: UInt16) -> UInt8 {
        get { values[address] ?? 0 }
        set { values[address] = newValue }
    }

    /// The chip appends checksums to what it sends.
    var sendsChecksum: Bool { self[Self.transmitMode] & Self.checksumBit != 0 }
    /// The chip checks and removes those of what it receives.
    var expectsChecksum: Bool { self[Self.receiveMode] & Self.checksumBit != 0 }
    /// A request of seven bits without a checksum was sent last, and nobody has set the registers since: the next raw frame goes out
    /// like it. (Who announces a reader with a PN532 must write them first, as others have found.)
    mutating func setForShortFrames() {
        self[Self.transmitMode] &= ~Self.checksumBit
        self[Self.receiveMode] &= ~Self.checksumBit
        self[Self.bitFraming] = Self.lastBitsMask
    }

    /// As they are once a phone is selected.
    mutating func setForWholeFrames() {
        self[Self.transmitMode] |= Self.checksumBit
        self[Self.receiveMode] |= Self.checksumBit
        self[Self.bitFraming] = 0
    }

    var lastBits: Int { Int(self[Self.bitFraming] & Self.lastBitsMask) }
}
