import Files
import Glibc

/// SCARD_ATTR_CHANNEL_ID: the kind of port in the upper half, its number in the lower
/// (PC/SC part 3, 3.1.2; USB is kind 0x20 with bus and device number, as libccid gives it).
struct ReaderChannel: Equatable {
    let number: UInt32

    private static let usb: UInt32 = 0x20
    private static let devices = "/sys/bus/usb/devices"

    /// A DWORD in the machine's own byte order; drivers give four or eight bytes.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 4 else { return nil }
        self.number = bytes.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    init(number: UInt32) {
        self.number = number
    }

    /// The kernel's path of a USB device, which stays when it is replugged there; the number
    /// itself for any other kind of port.
    var port: String {
        guard number >> 16 == Self.usb else { return hexadecimal }
        return Self.usbPath(bus: number >> 8 & 0xFF, device: number & 0xFF, below: Self.devices) ?? hexadecimal
    }

    static func usbPath(bus: UInt32, device: UInt32, below folder: String) -> String? {
        guard let listing = opendir(folder) else { return nil }
        defer { closedir(listing) }
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if number(in: "\(folder)/\(name)/busnum") == bus, number(in: "\(folder)/\(name)/devnum") == device {
                return name
            }
        }
        return nil
    }

    private static func number(in path: String) -> UInt32? {
        guard let digits = try? SmallFile.read(path, limit: 16) else { return nil }
        return UInt32(String(decoding: digits.prefix { $0 != 10 }, as: UTF8.self))
    }

    private var hexadecimal: String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
