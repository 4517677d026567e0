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
    mutating func take(_ byte: UInt8) -> PN532Frame? {
        switch state {
        case .between: state = byte == 0x00 ? .zero : .between
        case .zero: state = byte == 0xFF ? .length([]) : byte == 0x00 ? .zero : .between
        case .length(let bytes): return takeLength(bytes + [byte])
        case .extendedLength(let bytes): takeExtendedLength(bytes + [byte])
        case .information(let bytes, let count): return takeInformation(bytes + [byte], count: count)
        }
        return nil
    }

    private mutating func takeLength(_ bytes: [UInt8]) -> PN532Frame? {
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

    private mutating func takeExtendedLength(_ bytes: [UInt8]) {
        guard bytes.count == 3 else { return state = .extendedLength(bytes) }
        let count = Int(bytes[0]) << 8 | Int(bytes[1])
        let isGood = PN532Frame.complement(bytes) == 0 && count > 0 && count <= PN532Frame.longestInformation
        state = isGood ? .information([], count: count) : .between
    }

    private mutating func takeInformation(_ bytes: [UInt8], count: Int) -> PN532Frame? {
        guard bytes.count > count else {
            state = .information(bytes, count: count)
            return nil
        }
        state = .between
        guard PN532Frame.complement(bytes) == 0 else { return nil }
        return .information(Array(bytes.dropLast()))
    }
}
