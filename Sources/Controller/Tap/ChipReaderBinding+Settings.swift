import Configuration
import Encoding
import Lanes
import Lines
import ReaderProtocol
import Readers
import Service

extension ChipReaderBinding {
    /// The PN532 that an installer wrote down (T3), and what brings it back (O5); nil for a reader of another type.
    /// - Throws: where its program cannot be told; the checks of a configuration leave nothing of the kind.
    package init?(_ settings: ReaderSettings, bank: any LineBank, shut: ShutPorts) throws(StartError) {
        guard case .pn532(let chip) = settings.device else { return nil }
        let setup: ReaderSetup
        do throws(FrameError) {
            setup = try ReaderSetup(chip)
        } catch {
            throw StartError(code: "nfc-protocol", message: "Reader \(settings.name): \(error.message)")
        }
        self.init(name: settings.name, socket: chip.socket, setup: setup,
                  resetLine: settings.reset.line.map { _ in ReaderResetLine(bank: bank, line: settings.resetLine) },
                  port: settings.reset.usb ? USBPort(device: chip.device, shut: shut) : nil)
    }
}

extension ReaderSetup {
    /// What the program of that chip is told. It tells of UID-only cards always: whether the lane takes them is the gate's business, and a reload may
    /// change it.
    package init(_ chip: ChipSettings) throws(FrameError) {
        try self.init(device: chip.connection, wakeUpFrame: chip.announcement?.frame ?? [],
                      cycleMilliseconds: UInt16(clamping: chip.cycleMilliseconds),
                      exchangeMilliseconds: UInt16(clamping: chip.exchangeMilliseconds), bitRate: ReaderBitRate(chip),
                      reportsUIDOnlyCards: true)
    }
}

extension ReaderBitRate {
    fileprivate init(_ chip: ChipSettings) {
        self = switch chip.bitRate {
        case 424: .kilobits424
        case 212: .kilobits212
        // There are no other ones in a configuration.
        case _: .kilobits106
        }
    }
}

extension ChipSettings {
    private static let standardBaud = 115_200

    /// The device as libnfc names it. On a UART the speed always stands at the end, so that no name of a port is taken for one.
    fileprivate var connection: String {
        switch bus {
        case .uart: "pn532_uart:\(device):\(speed ?? Self.standardBaud)"
        case .spi: "pn532_spi:\(device)" + (speed.map { ":\($0)" } ?? "")
        case .i2c: "pn532_i2c:\(device)"
        }
    }
}

extension ChipAnnouncement {
    /// A frame of Enhanced Contactless Polling, without its checksum, as others have found it
    /// (github.com/kormax/apple-enhanced-contactless-polling): an access reader that asks for no authentication.
    var frame: [UInt8] {
        let body = bytes(terminal) + (group.map(bytes) ?? [])
        return [0x6A, 0x02, 0xC0 | UInt8(body.count), 0x02, 0x06] + body
    }

    private func bytes(_ digits: String) -> [UInt8] { (try? Hex.decode(digits)) ?? [] }
}
