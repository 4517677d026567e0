@testable import Configuration
import Testing

@Suite("Readers that are a PN532, and what brings readers back (T3, O5)")
struct ChipReaderTests {
    /// The smallest text, whose one reader begins in line 13, with these tables in the place of how it is found: they begin in line 16.
    private static func text(_ rest: String) -> String {
        Sample.smallest.replacing("match = { serial = \"A1\" }", with: "") + rest
    }

    /// A PN532, whose chip begins in line 17 and has more from line 20 on.
    private static func chip(bus: String = "uart", device: String = "/dev/serial/by-path/x-usb-0:1.2:1.0-port0", _ more: String = "") -> String {
        text("type = \"pn532\"\n[reader.chip]\nbus = \"\(bus)\"\ndevice = \"\(device)\"\n\(more)")
    }

    private static func load(_ text: String) throws -> ReaderSettings {
        try #require(try ConfigurationFile.parse(Array(text.utf8), name: "t.toml").configuration.readers.first)
    }

    @Test("What is not said has its default") func defaults() throws {
        let reader = try Self.load(Self.chip(device: "/dev/ttyAMA0"))
        #expect(reader.device == .pn532(ChipSettings(
            bus: .uart, device: "/dev/ttyAMA0", announcement: nil, cycleMilliseconds: 200,
            exchangeMilliseconds: 1600, bitRate: 106, socket: "/run/tapstile-nfc/in.sock")))
        #expect(reader.device.type == .pn532)
        #expect(reader.reset == ReaderResetSettings())
        #expect(IssueTests.marks(Self.chip()) == [])
    }

    @Test("Everything can be said") func all() throws {
        let reader = try Self.load(Self.chip("""
            speed = 230400
            ecp-tci = "02AB00"
            ecp-group = "0011223344FFEEDD"
            cycle-ms = 50
            exchange-ms = 3300
            bit-rate = 424
            socket = "/tmp/x.sock"
            [reader.reset]
            chip = "gpiochip0"
            line = "GPIO4"
            active = "high"
            usb = true
            """))
        #expect(reader.device == .pn532(ChipSettings(
            bus: .uart, device: "/dev/serial/by-path/x-usb-0:1.2:1.0-port0", speed: 230_400,
            announcement: ChipAnnouncement(terminal: "02ab00", group: "0011223344ffeedd"), cycleMilliseconds: 50, exchangeMilliseconds: 3300,
            bitRate: 424, socket: "/tmp/x.sock")))
        #expect(reader.reset == ReaderResetSettings(line: OutputSettings(chip: "gpiochip0", line: .named("GPIO4"), active: .high), usb: true))
        #expect(try Self.load(Self.chip("[reader.reset]\nchip = \"g\"\nline = 4")).reset.line?.active == .low, "the pin itself")
    }

    @Test("Phones need not be woken") func unannounced() throws {
        #expect(try Self.load(Self.chip("ecp-tci = \"\"")).device == .pn532(ChipSettings(
            bus: .uart, device: "/dev/serial/by-path/x-usb-0:1.2:1.0-port0", announcement: nil, socket: "/run/tapstile-nfc/in.sock")))
        #expect(IssueTests.marks(Self.chip("ecp-tci = \"\"\necp-group = \"0011223344556677\"")) == ["21:13 reader-chip"])
        #expect(IssueTests.marks(Self.chip("ecp-group = \"0011223344556677\"")) == ["20:13 reader-chip"])
    }

    @Test("Who announces what the gate does not speak is warned") func announcesAliro() throws {
        let issues = IssueTests.issues(Self.chip("ecp-tci = \"204220\""))
        #expect(issues.map(\.code) == ["reader-chip"] && issues.first?.severity == .warning)
        #expect(issues.first?.position == TextPosition(line: 20, column: 11))
        #expect(IssueTests.marks(Self.chip("ecp-tci = \"02ab01\"")) == [])
    }

    @Test("A reader is found as one of its kind is") func kinds() {
        #expect(IssueTests.marks(Self.text("[reader.chip]\nbus = \"spi\"\ndevice = \"/dev/spidev0.0\"")) == ["16:1 reader-chip"])
        #expect(IssueTests.marks(Self.text("type = \"pn532\"")) == ["16:8 reader-chip"])
        #expect(IssueTests.marks(Self.text("type = \"pn532\"\nmatch = { serial = \"A1\" }")) == ["16:8 reader-chip", "17:9 reader-match"])
        #expect(IssueTests.marks(Self.chip("[reader.match]\nserial = \"A1\"")) == ["20:1 reader-match"])
        #expect(IssueTests.marks(Self.text("")) == ["13:1 reader-match"])
        #expect(IssueTests.issues(Self.text("")).map(\.message) == ["reader[1].match needs exactly one of name, serial, port; it has none of them."])
        #expect(IssueTests.marks(Self.text("type = \"pn523\"")) == ["16:8 bad-choice"], "which of them it needs is not known")
    }

    static let indexes = ["/dev/ttyUSB0", "/dev/ttyUSB12", "/dev/ttyACM0", "//dev/./ttyUSB0", "/dev/ttyCH341USB0", "/dev/ttyXRUSB1"]

    @Test("A device is never named by its index", arguments: indexes) func byIndex(device: String) {
        let issues = IssueTests.issues(Self.chip(device: device))
        #expect(issues.map(\.code) == ["device-by-index"] && issues.first?.position == TextPosition(line: 19, column: 10))
    }

    static let names = ["/dev/serial/by-id/usb-1a86_USB2.0-Ser_-if00-port0", "/dev/tapstile/pn532-1-1.2", "/dev/ttyAMA0", "/dev/ttyS1",
                        "/dev/ttymxc0", "/dev/ttySTM2", "/dev/pts/3", "/tmp/chip", "/dev/my/ttyUSB0", "/dev/ttyUSB", "/dev/gate-ttyUSB0", "/dev/serial0"]

    @Test("Names that stay are taken", arguments: names) func staying(device: String) {
        #expect(IssueTests.marks(Self.chip(device: device)) == [])
    }

    @Test("The bus is that of the device", arguments: [
        ("uart", "/dev/spidev0.0"), ("uart", "/dev/i2c-1"), ("spi", "/dev/ttyAMA0"), ("spi", "/dev/serial/by-path/x"), ("i2c", "/dev/spidev1.0")
    ]) func buses(bus: String, device: String) {
        #expect(IssueTests.marks(Self.chip(bus: bus, device: device)) == ["19:10 reader-chip"])
    }

    @Test("Speeds are those of the bus") func speeds() {
        func marks(_ bus: String, _ device: String, _ speed: Int) -> [String] {
            IssueTests.marks(Self.chip(bus: bus, device: device, "speed = \(speed)"))
        }
        #expect(marks("uart", "/dev/ttyS0", 115_200) == [] && marks("uart", "/dev/ttyS0", 100_000) == ["20:9 bad-choice"])
        #expect(marks("spi", "/dev/spidev0.0", 500_000) == [] && marks("spi", "/dev/spidev0.0", 5_000_001) == ["20:9 out-of-range"])
        #expect(marks("i2c", "/dev/i2c-1", 100_000) == ["20:9 reader-chip"])
        #expect(IssueTests.marks(Self.chip(bus: "i2c", device: "/dev/i2c-1")) == [])
    }

    @Test("Every mistake of a chip at once, each with its place") func mistakes() {
        let text = Self.text("""
            type = "pn532"
            [reader.chip]
            bus = "usb"
            device = "ttyAMA0"
            ecp-tci = "2042"
            ecp-group = "001122334455667x"
            cycle-ms = 251
            exchange-ms = 50
            bit-rate = 848
            socket = "run/x"
            spead = 1
            [reader.reset]
            line = 4
            active = "on"
            usb = 1
            """)
        #expect(IssueTests.marks(text) == [
            "18:7 bad-choice", "19:10 bad-text", "20:11 bad-text", "21:13 bad-text", "22:12 out-of-range", "23:15 out-of-range", "24:12 bad-choice",
            "25:10 bad-text", "26:1 unknown-setting", "28:8 missing-setting", "29:10 bad-choice", "30:7 wrong-type"
        ])
        let messages = IssueTests.issues(text).map(\.message)
        #expect(messages.contains("reader[1].chip.ecp-tci is no text of 0 or 6 hexadecimal digits."))
        #expect(messages.contains("reader[1].chip.bit-rate is one of 106, 212, 424, not 848."))
        #expect(messages.contains("reader[1].reset.chip is missing: a line has both, chip and line."))
    }

    @Test("Two readers are two chips with two programs") func twice() {
        func marks(_ name: String, _ device: String, _ more: String = "") -> [String] {
            let other = "\n[[reader]]\nname = \"\(name)\"\nlane = \"entry\"\ntype = \"pn532\"\n"
                + "[reader.chip]\nbus = \"uart\"\ndevice = \"\(device)\"\n"
            return IssueTests.marks(Self.chip(device: "/dev/ttyAMA0") + other + more)
        }
        #expect(marks("out", "/dev/ttyAMA1") == [])
        #expect(marks("out", "/dev//ttyAMA0") == ["27:10 reader-bound-twice"])
        #expect(marks("out", "/dev/ttyAMA1", "socket = \"/run/tapstile-nfc/in.sock\"") == ["28:10 reader-bound-twice"])
    }

    @Test("A reset line is a line as any other") func lines() {
        let line = "[reader.reset]\nchip = \"gpiochip0\"\nline = "
        #expect(IssueTests.marks(Self.chip(line + "4")) == [])
        #expect(IssueTests.marks(Self.chip(line + "17")) == ["22:8 line-used-twice"], "the relay's")
        #expect(IssueTests.marks(Self.chip(line.replacing("gpiochip0", with: "simulated") + "4")) == ["21:8 simulated-line"])
        #expect(IssueTests.marks(Self.chip("[reader.reset]\nactive = \"low\"")) == ["21:10 missing-setting"])
    }

    @Test("Only what a reader has brings it back") func resets() {
        let line = "[reader.reset]\nchip = \"gpiochip0\"\nline = 4"
        let usb = "[reader.reset]\nusb = true"
        func pcsc(_ match: String, _ reset: String) -> [String] { IssueTests.marks(Self.text("match = { \(match) }\n\(reset)")) }
        #expect(pcsc("serial = \"A1\"", line) == ["19:8 reader-reset"])
        #expect(pcsc("serial = \"A1\"", usb) == ["18:7 reader-reset"])
        #expect(pcsc("port = \"00010002\"", usb) == ["18:7 reader-reset"])
        #expect(pcsc("port = \"1-1.2\"", usb) == [] && pcsc("serial = \"A1\"", usb.replacing("true", with: "false")) == [])
        #expect(IssueTests.marks(Self.chip(usb)) == [])
        #expect(IssueTests.marks(Self.chip(device: "/dev/ttyAMA0", usb)) == ["21:7 reader-reset"])
        #expect(IssueTests.marks(Self.chip(bus: "spi", device: "/dev/spidev0.0", usb)) == ["21:7 reader-reset"])
    }
}
