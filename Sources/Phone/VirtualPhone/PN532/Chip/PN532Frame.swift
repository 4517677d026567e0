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
