import Encoding

/// A UUID by which Bluetooth names services and attributes (Core 5.4, Vol 3 Part B, 2.5.1).
public struct BluetoothUUID: Hashable, Sendable, CustomStringConvertible {
    /// Its sixteen bytes as people write them, the most significant one first.
    public let bytes: [UInt8]

    /// Bluetooth_Base_UUID, of which the short forms are a part.
    private static let base: [UInt8] = [0, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0x80, 0x5F, 0x9B, 0x34, 0xFB]
    /// How many digits stand between the dashes.
    private static let groups = [8, 4, 4, 4, 12]

    /// Its two halves, as one reads them: `00005301-0010-002a` and `426c-756549442a00`.
    public init(_ high: UInt64, _ low: UInt64) {
        bytes = [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) } }
    }

    /// The one that a number of 16 bits stands for.
    public init(short number: UInt16) {
        var bytes = Self.base
        bytes[2] = UInt8(number >> 8)
        bytes[3] = UInt8(number & 0xFF)
        self.bytes = bytes
    }

    /// As it travels: 2, 4 or 16 bytes, the least significant one first. nil for any other number of bytes.
    public init?(littleEndian given: [UInt8]) {
        switch given.count {
        case 2: bytes = [0, 0] + given.reversed() + Self.base[4...]
        case 4: bytes = given.reversed() + Self.base[4...]
        case 16: bytes = given.reversed()
        default: return nil
        }
    }

    /// `00005301-0010-002a-426c-756549442a00`, in either case. nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == Self.groups, let bytes = try? Hex.decode(parts.joined()) else { return nil }
        self.bytes = bytes
    }

    /// The number of 16 bits that stands for it, where there is one.
    public var short: UInt16? {
        guard bytes[0] == 0, bytes[1] == 0, bytes[4...] == Self.base[4...] else { return nil }
        return UInt16(bytes[2]) << 8 | UInt16(bytes[3])
    }

    /// All sixteen bytes, the least significant one first.
    public var littleEndian: [UInt8] { bytes.reversed() }

    /// The shortest form in which an attribute's type can travel: 2 or 16 bytes (Core 5.4, Vol 3 Part F, 3.2.1).
    var shortestLittleEndian: [UInt8] { short?.littleEndianBytes ?? littleEndian }

    public var description: String {
        var digits = Hex.encode(bytes)[...]
        return Self.groups.map { count in
            defer { digits = digits.dropFirst(count) }
            return String(digits.prefix(count))
        }.joined(separator: "-")
    }
}
