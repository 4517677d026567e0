/// Finds frames in the bytes that a host sends. What is no frame is passed over, as the chip does: it answers neither to a
/// wrong checksum nor to noise, and the host must notice that no ACK comes.
struct PN532FrameReader {
    private enum State {
        /// Anything before a start code.
        case between
        /// One zero at least, so that FF may follow.
        case zero
        /// Length and its checksum.
        case length([UInt8])
        /// FF FF, then two bytes of length and a checksum.
        case extendedLength([UInt8])
        case information([UInt8], count: Int)
    }

    private var state = State.between

    /// The frame that ends with this byte. The postamble is not waited for.
    mutating func read(_ byte: UInt8) -> PN532Frame? {
        switch state {
        case .between: state = byte == 0x00 ? .zero : .between
        case .zero: state = byte == 0xFF ? .length([]) : byte == 0x00 ? .zero : .between
        case .length(let bytes): return readLength(bytes + [byte])
        case .extendedLength(let bytes): readExtendedLength(bytes + [byte])
        case .information(let bytes, let count): return readInformation(bytes + [byte], count: count)
        }
        return nil
    }

    private mutating func readLength(_ bytes: [UInt8]) -> PN532Frame? {
        guard bytes.count == 2 else {
            state = .length(bytes)
            return nil
        }
        state = .between
        switch (bytes[0], bytes[1]) {
        case (0x00, 0xFF): return .acknowledge
        case (0xFF, 0x00): return .notAcknowledge
        case (0xFF, 0xFF): state = .extendedLength([])
        case (let length, let check) where length &+ check == 0: state = .information([], count: Int(length))
        default: break
        }
        return nil
    }

    private mutating func readExtendedLength(_ bytes: [UInt8]) {
        guard bytes.count == 3 else { return state = .extendedLength(bytes) }
        let count = Int(bytes[0]) << 8 | Int(bytes[1])
        let isGood = PN532Frame.complement(bytes) == 0 && count > 0 && count <= PN532Frame.longestInformation
        state = isGood ? .information([], count: count) : .between
    }

    private mutating func readInformation(_ bytes: [UInt8], count: Int) -> PN532Frame? {
        guard bytes.count > count else {
            state = .information(bytes, count: count)
            return nil
        }
        state = .between
        guard PN532Frame.complement(bytes) == 0 else { return nil }
        return .information(Array(bytes.dropLast()))
    }
}

/// What host and chip say to each other (UM0701-02, 6.2.1). Preamble, start code, content, postamble.
enum PN532Frame: Equatable {
    case acknowledge
    case notAcknowledge
    /// The chip did not understand what it was told.
    case syntaxError
    /// Identifier (D4 to the chip, D5 from it), command, parameters. From 256 bytes on in an extended frame.
    case information([UInt8])

    static let toChip: UInt8 = 0xD4
    static let fromChip: UInt8 = 0xD5
    /// The longest information: identifier and 264 bytes (UM0701-02, 6.2.1.2).
    static let longestInformation = 265
    private static let longestNormal = 255
    private static let start: [UInt8] = [0x00, 0x00, 0xFF]

    var encoded: [UInt8] {
        switch self {
        case .acknowledge: Self.start + [0x00, 0xFF, 0x00]
        case .notAcknowledge: Self.start + [0xFF, 0x00, 0x00]
        case .syntaxError: Self.start + [0x01, 0xFF, 0x7F, 0x81, 0x00]
        case .information(let information): Self.start + Self.length(information.count) + information + [Self.complement(information), 0x00]
        }
    }

    /// What makes the sum zero.
    static func complement(_ bytes: some Sequence<UInt8>) -> UInt8 {
        0 &- bytes.reduce(0, &+)
    }

    private static func length(_ count: Int) -> [UInt8] {
        guard count > longestNormal else { return [UInt8(count), complement([UInt8(count)])] }
        let bytes = [UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
        return [0xFF, 0xFF] + bytes + [complement(bytes)]
    }
}
