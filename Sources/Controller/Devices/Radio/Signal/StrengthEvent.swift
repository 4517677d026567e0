/// An adapter's answer to Read RSSI (Core Specification 5.3, vol. 4, part E, 7.5.4 and 7.7.14). Bytes from outside.
struct StrengthEvent: Hashable, Sendable {
    /// HCI_Read_RSSI: group 5, command 5.
    static let command: UInt16 = 0x1405
    /// A connection's handle has 12 bits.
    private static let handleMask: UInt16 = 0x0FFF

    let handle: UInt16
    /// Nil where the adapter refused: the connection has ended.
    let dBm: Int8?
    /// 0, or why the adapter refused (Core Specification 5.3, vol. 1, part F).
    let status: UInt8

    /// Nil for any other event, and for what is too short.
    init?(_ packet: some Collection<UInt8>) {
        let octets = Array(packet.prefix(10))
        // Event packet, Command Complete, its length, commands that may follow, the command.
        guard octets.count == 10, octets[0] == 0x04, octets[1] == 0x0E, octets[2] >= 7,
              octets[4] == UInt8(Self.command & 0xFF), octets[5] == UInt8(Self.command >> 8) else { return nil }
        handle = (UInt16(octets[7]) | UInt16(octets[8]) << 8) & Self.handleMask
        status = octets[6]
        dBm = octets[6] == 0 ? Int8(bitPattern: octets[9]) : nil
    }

    /// The command for a handle.
    static func request(_ handle: UInt16) -> [UInt8] {
        [0x01, UInt8(command & 0xFF), UInt8(command >> 8), 2, UInt8(handle & 0xFF), UInt8(handle >> 8)]
    }
}
