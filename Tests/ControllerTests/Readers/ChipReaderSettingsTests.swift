import Configuration
import Lines
import ReaderProtocol
import Readers
import Testing
import Threads

@testable import Controller
@testable import Lanes

/// What an installer writes about a PN532 becomes what its program is told, and what brings it back.
@Suite("A PN532 as it is configured (T3, O5)") struct ChipReaderSettingsTests {
    private static func configuration(_ chip: String = "bus = \"uart\"\ndevice = \"/dev/serial/by-path/a:1.0-port0\"",
                                      _ reset: String = "", reader: String = "type = \"pn532\"", more: String = "") throws -> GateConfiguration {
        try loaded(chip, reset, reader: reader, more: more).configuration
    }

    private static func loaded(_ chip: String? = Self.uart, _ reset: String = "", reader: String = "type = \"pn532\"",
                               more: String = "") throws -> LoadedConfiguration {
        let text = """
            site = { id = "hill" }
            gate = { id = "gate-1", signing-key = "/keys/sign" }
            trust = { root = "/keys/root.json" }
            [[lane]]
            name = "entry"
            relay = { chip = "gpiochip0", line = 17 }
            [[reader]]
            name = "exit"
            lane = "entry"
            \(reader)
            \(chip.map { "[reader.chip]\n" + $0 } ?? "")
            [reader.reset]
            \(reset)
            \(more)
            """
        return try ConfigurationFile.parse(Array(text.utf8), name: "t.toml")
    }

    private static let uart = "bus = \"uart\"\ndevice = \"/dev/serial/by-path/a:1.0-port0\"\n"
    private static let line = "chip = \"gpiochip0\"\nline = 4\n"

    private static func binding(_ configuration: GateConfiguration, _ bank: (any LineBank)? = nil) throws -> ChipReaderBinding {
        let bank = bank ?? SimulatedLineBank(LineRequest.all(of: configuration))
        return try #require(try ChipReaderBinding(configuration.readers[0], bank: bank, shut: ShutPorts(directory: "/nowhere")))
    }

    @Test func itsProgramIsToldAllThatWasSaid() throws {
        let binding = try Self.binding(Self.configuration(Self.uart + """
            ecp-tci = "02AB01"
            ecp-group = "0011223344556677"
            cycle-ms = 100
            exchange-ms = 800
            bit-rate = 212
            """))
        #expect(binding.name == "exit" && binding.socket == "/run/tapstile-nfc/exit.sock")
        #expect(binding.setup == (try ReaderSetup(
            device: "pn532_uart:/dev/serial/by-path/a:1.0-port0:115200",
            // 6A 02, an access reader that asks for no authentication with 11 bytes, terminal, group
            wakeUpFrame: [0x6A, 0x02, 0xCB, 0x02, 0x06, 0x02, 0xAB, 0x01, 0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77],
            cycleMilliseconds: 100, exchangeMilliseconds: 800, bitRate: .kilobits212, reportsUIDOnlyCards: true)))
        #expect(binding.resetLine == nil && binding.port == nil)
    }

    @Test func phonesAreNamedATerminalAlone() throws {
        #expect(try Self.binding(Self.configuration(Self.uart + "ecp-tci = \"02AB01\"")).setup.wakeUpFrame
            == [0x6A, 0x02, 0xC3, 0x02, 0x06, 0x02, 0xAB, 0x01])
    }

    /// An identifier of somebody else's passes would put one of them in front of our own app.
    @Test func nothingIsAnnouncedUnlessSomebodySaysWhat() throws {
        #expect(try Self.binding(Self.configuration()).setup.wakeUpFrame == [])
        #expect(try Self.binding(Self.configuration(Self.uart + "ecp-tci = \"\"")).setup.wakeUpFrame == [])
    }

    @Test(arguments: [
        ("bus = \"uart\"\ndevice = \"/dev/ttyAMA0\"\nspeed = 230400", "pn532_uart:/dev/ttyAMA0:230400"),
        ("bus = \"spi\"\ndevice = \"/dev/spidev0.0\"", "pn532_spi:/dev/spidev0.0"),
        ("bus = \"spi\"\ndevice = \"/dev/spidev0.0\"\nspeed = 500000", "pn532_spi:/dev/spidev0.0:500000"),
        ("bus = \"i2c\"\ndevice = \"/dev/i2c-1\"", "pn532_i2c:/dev/i2c-1")
    ]) func theDeviceIsNamedAsLibnfcNamesIt(chip: String, name: String) throws {
        #expect(try Self.binding(Self.configuration(chip)).setup.device == name)
    }

    /// The longest that a configuration takes.
    @Test func everyDeviceOfAConfigurationCanBeTold() throws {
        let longest = "/" + String(repeating: "x", count: 159)
        for bus in ["uart", "spi", "i2c"] {
            let speed = bus == "uart" ? "speed = 460800" : bus == "spi" ? "speed = 5000000" : ""
            let binding = try Self.binding(Self.configuration("bus = \"\(bus)\"\ndevice = \"\(longest)\"\n\(speed)"))
            #expect(binding.setup.device.hasPrefix("pn532_\(bus):/xx"))
        }
    }

    @Test func itsResetLineIsALineOfTheGate() throws {
        let configuration = try Self.configuration(Self.uart, Self.line + "usb = true")
        let request = LineRequest(name: "exit-reset", chip: "gpiochip0", line: .offset(4), activeLow: true, consumer: "tapstile-exit-reset")
        #expect(LineRequest.all(of: configuration).last == request)
        #expect(LinesInForce(configuration).requests.contains(request), "a gate that is killed in between leaves no reader switched off")
        #expect(try Self.binding(configuration).port != nil)
        #expect(try Self.configuration(Self.uart, Self.line + "active = \"high\"").readers[0].reset.line?.active == .high)
    }

    @Test func itsResetLineIsPulledAndLetGo() throws {
        let configuration = try Self.configuration(Self.uart, Self.line)
        let moves = Mutex<[String]>([])
        let bank = SimulatedLineBank(LineRequest.all(of: configuration)) { line, active, _ in moves.withLock { $0.append("\(line) \(active)") } }
        let line = try #require(try Self.binding(configuration, bank).resetLine)
        try line.pull()
        #expect(moves.withLock { $0 } == ["exit-reset true", "exit-reset false"])
        bank.release()
        #expect(throws: LinkFault(code: "line-released", message: "")) { try line.pull() }
    }

    @Test func thePortOfAReaderOfPcscdIsSwitchedWhereThatIsAllowed() throws {
        var configuration = try Self.configuration(Self.uart, "usb = true")
        #expect(configuration.ports(ShutPorts(directory: "/nowhere")).isEmpty, "a chip's is with the chip")
        configuration.readers[0].device = .pcsc(.port("1-1.2"), nameContains: nil)
        #expect(Array(configuration.ports(ShutPorts(directory: "/nowhere")).keys) == ["exit"])
        configuration.readers[0].reset.usb = false
        #expect(configuration.ports(ShutPorts(directory: "/nowhere")).isEmpty)
    }

    static let running = [
        "bus = \"uart\"\ndevice = \"/dev/ttyAMA0\"", "bus = \"spi\"\ndevice = \"/dev/spidev0.0\"", uart + "speed = 9600", uart + "ecp-tci = \"02AB01\"",
        uart + "cycle-ms = 60", uart + "exchange-ms = 500", uart + "bit-rate = 424", uart + "socket = \"/tmp/x\""
    ]

    @Test(arguments: running) func aChipGoesOnWithOtherSettings(chip: String) throws {
        let (now, next) = (try Self.loaded(), try Self.loaded(chip))
        #expect(now.fixed.changes(to: next.fixed) == [])
        let readers = [now, next].map { $0.configuration.readers[0] }
        #expect(!readers[0].isUsedLike(readers[1]) && readers[0].isUsedLike(readers[0]))
    }

    @Test func whatIsWiredWaitsForARestart() throws {
        let now = try Self.loaded()
        #expect(now.fixed.changes(to: try Self.loaded(Self.uart, Self.line).fixed)
                == ["reader exit: reset.chip", "reader exit: reset.line"])
        #expect(now.fixed.changes(to: try Self.loaded(Self.uart, "usb = true").fixed) == [])
        let other = try Self.loaded(nil, reader: "match = { port = \"1-1.2\" }")
        #expect(now.fixed.changes(to: other.fixed).contains("reader exit: type"))
        let allowed = try Self.loaded(nil, "usb = true", reader: "match = { port = \"1-1.2\" }")
        #expect(other.fixed.changes(to: allowed.fixed) == ["reader exit: reset.usb"])
    }
}
