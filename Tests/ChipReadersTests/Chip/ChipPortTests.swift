import Testing

@testable import ChipReaders

/// libnfc's names of devices, with paths that have colons in them.
@Suite struct ChipPortTests {
    static let names: [(String, ChipPort.Bus, String, UInt32?)] = [
        ("pn532_uart:/dev/ttyAMA0:115200", .uart, "/dev/ttyAMA0", 115_200),
        ("pn532_uart:/dev/ttyAMA0", .uart, "/dev/ttyAMA0", nil),
        ("pn532_uart:/dev/serial/by-path/pci-0000:00:14.0-usb-0:2:1.0-port0:115200", .uart,
         "/dev/serial/by-path/pci-0000:00:14.0-usb-0:2:1.0-port0", 115_200),
        ("pn532_uart:/dev/serial/by-path/pci-0000:00:14.0-usb-0:2:1.0", .uart, "/dev/serial/by-path/pci-0000:00:14.0-usb-0:2:1.0", nil),
        ("pn532_spi:/dev/spidev0.0:500000", .spi, "/dev/spidev0.0", 500_000), ("pn532_i2c:/dev/i2c-1", .i2c, "/dev/i2c-1", nil)
    ]

    @Test(arguments: names)
    func aNameIsDividedAtItsEnds(name: String, bus: ChipPort.Bus, path: String, speed: UInt32?) throws {
        let port = try #require(ChipPort(name))
        #expect(port.bus == bus)
        #expect(port.path == path)
        #expect(port.speed == speed)
        #expect(port.connection(at: "/p") == "\(bus.rawValue):/p" + (speed.map { ":\($0)" } ?? ""))
    }

    /// Whatever else libnfc could drive is none of ours, and a path begins at the root.
    @Test(arguments: ["", "pn532_uart", "pn532_uart:", "pn532_uart::115200", "pn532_uart:ttyUSB0", "acr122_usb:001:002", "usb", ":/dev/ttyUSB0",
                      "PN532_UART:/dev/ttyUSB0"])
    func anythingElseIsNoChip(name: String) {
        #expect(ChipPort(name) == nil)
    }
}
