/// Where a chip is, taken from libnfc's name for it: `pn532_uart:/dev/serial/by-path/…:115200`.
///
/// libnfc itself divides such a name at every colon, and names of ports that stay the same have colons in them
/// (`/dev/serial/by-path/pci-0000:00:14.0-usb-0:2:1.0-port0`). So it is read here, and libnfc gets another name of the same device.
struct ChipPort: Hashable, Sendable {
    /// What leads to the chip; the raw value is the name of libnfc's driver.
    enum Bus: String, Sendable, CaseIterable {
        case uart = "pn532_uart"
        case spi = "pn532_spi"
        case i2c = "pn532_i2c"
    }

    let bus: Bus
    let path: String
    /// Bits per second; nil leaves it to libnfc, and I²C has none.
    let speed: UInt32?

    /// Nil where the name is none of a PN532.
    init?(_ name: String) {
        let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let bus = Bus(rawValue: String(parts[0])) else { return nil }
        let (path, speed) = Self.divided(parts[1])
        guard path.hasPrefix("/") else { return nil }
        self.bus = bus
        self.path = String(path)
        self.speed = speed
    }

    /// What follows the last colon is a speed where it is a number. No name of a port ends so: what udev puts there has a point or a letter.
    private static func divided(_ text: Substring) -> (path: Substring, speed: UInt32?) {
        guard let colon = text.lastIndex(of: ":") else { return (text, nil) }
        let last = text[text.index(after: colon)...]
        guard last.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let speed = UInt32(last) else { return (text, nil) }
        return (text[..<colon], speed)
    }

    /// libnfc's name for the device at another path, which has no colon.
    func connection(at path: String) -> String {
        "\(bus.rawValue):\(path)" + (speed.map { ":\($0)" } ?? "")
    }
}
