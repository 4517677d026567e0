import Encoding

/// The address of a device that speaks Bluetooth Low Energy (Core 5.4, Vol 6 Part B, 1.3).
public struct BluetoothAddress: Hashable, Sendable, CustomStringConvertible {
    /// Its six bytes as people write them, the most significant one first.
    public let bytes: [UInt8]
    /// Whose it is to give.
    public let kind: Kind

    /// The numbers are Linux's (`BDADDR_LE_PUBLIC`, `BDADDR_LE_RANDOM`); 0 is a device of the older Bluetooth.
    public enum Kind: UInt8, Sendable {
        /// Registered with the IEEE.
        case `public` = 1
        /// Made by the device itself, for good or for some minutes.
        case random = 2
    }

    static let length = 6
    private static let randomMark = ",random"

    /// As it travels, the least significant byte first.
    init?(littleEndian given: [UInt8], kind: Kind) {
        guard given.count == Self.length else { return nil }
        bytes = given.reversed()
        self.kind = kind
    }

    /// The form in which one can be written.
    public static let form = "AA:BB:CC:DD:EE:FF[,random]"

    /// Reads `form`, in either case. nil for anything else.
    public init?(_ text: String) {
        let isRandom = text.hasSuffix(Self.randomMark)
        let digits = isRandom ? String(text.dropLast(Self.randomMark.count)) : text
        let parts = digits.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == Self.length, parts.allSatisfy({ $0.utf8.count == 2 }), let bytes = try? Hex.decode(parts.joined()) else {
            return nil
        }
        self.bytes = bytes
        kind = isRandom ? .random : .public
    }

    var littleEndian: [UInt8] { bytes.reversed() }

    /// `00:1A:7D:DA:71:13`, without its kind.
    public var description: String {
        bytes.map { Hex.encode([$0]).uppercased() }.joined(separator: ":")
    }
}
