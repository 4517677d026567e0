extension CrossChecks {
    /// A PN532 is named by a device that stays, on the bus that it hangs on, and has a program of its own.
    mutating func checkChip(of reader: TableReading, _ first: inout [FoundDevice: String]) {
        if let match = reader.tables["match"] {
            issues.error("reader-match", at: match.position,
                         "\(match.path) finds readers of pcscd, and \(reader.path) is a PN532: remove it, or the `type`.")
        }
        guard let chip = reader.tables["chip"] else {
            issues.error("reader-chip", at: reader.position(of: "type"),
                         "\(reader.path) is a PN532 and needs \(reader.path).chip with `bus` and `device`.")
            return
        }
        checkDevice(of: chip, &first)
        checkSpeed(of: chip)
        if chip.text("ecp-tci") == "", chip.present.contains("ecp-group") {
            issues.error("reader-chip", at: chip.position(of: "ecp-group"),
                         "\(chip.path).ecp-group is told to nobody: without `ecp-tci` phones are not woken.")
        }
        if chip.text("ecp-tci") == Self.terminalOfAliro {
            issues.warning("reader-chip", at: chip.position(of: "ecp-tci"),
                           "\(chip.path).ecp-tci announces Aliro, which the gate does not speak: phones may show it another pass than yours.")
        }
        guard let socket = chip.text("socket") else { return }
        checkAlone(FoundDevice(key: "socket", value: socket), of: chip, at: "socket", &first)
    }

    private static let terminalOfAliro = "204220"

    private mutating func checkDevice(of chip: TableReading, _ first: inout [FoundDevice: String]) {
        guard let text = chip.text("device") else { return }
        let device = ChipDeviceName(text)
        let position = chip.position(of: "device")
        if device.isIndex {
            issues.error("device-by-index", at: position,
                         "\(chip.path).device: \(text) is whichever adapter was found first. Take a name that stays: "
                             + "`ls /dev/tapstile /dev/serial/by-path` shows them.")
        } else if let bus = chip.choice("bus", ChipBus.self), let its = device.bus, its != bus {
            issues.error("reader-chip", at: position, "\(chip.path).device: \(text) is of bus \"\(its.rawValue)\", and `bus` is \"\(bus.rawValue)\".")
        } else {
            checkAlone(FoundDevice(key: "device", value: device.path), of: chip, at: "device", &first)
        }
    }

    /// What libnfc sets a UART to.
    private static let bauds = [9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800]

    private mutating func checkSpeed(of chip: TableReading) {
        guard chip.present.contains("speed"), let speed = chip.integer("speed") else { return }
        switch chip.choice("bus", ChipBus.self) {
        case .spi, nil: break
        case .i2c:
            issues.error("reader-chip", at: chip.position(of: "speed"), "\(chip.path).speed: on I²C the board sets the clock. Remove it.")
        case .uart:
            guard !Self.bauds.contains(speed) else { return }
            issues.error("bad-choice", at: chip.position(of: "speed"),
                         "\(chip.path).speed is one of \(Self.bauds.map(String.init).joined(separator: ", ")) on a UART, not \(speed).")
        }
    }

    /// Only what can be done for a reader may be asked for.
    mutating func checkReset(of reader: TableReading) {
        guard let reset = reader.tables["reset"] else { return }
        checkResetLine(reset, of: reader)
        guard reset.flag("usb") == true, let complaint = Self.complaintAboutUSB(of: reader) else { return }
        issues.error("reader-reset", at: reset.position(of: "usb"), "\(reset.path).usb: \(complaint)")
    }

    private mutating func checkResetLine(_ reset: TableReading, of reader: TableReading) {
        let given = ["chip", "line"].filter { reset.present.contains($0) }
        switch given.count {
        case 0 where reset.present.contains("active"):
            issues.error("missing-setting", at: reset.position(of: "active"), "\(reset.path).active is of a line: `chip` and `line` are missing.")
        case 0: break
        case 1:
            let other = given == ["chip"] ? "line" : "chip"
            issues.error("missing-setting", at: reset.position(of: given[0]), "\(reset.path).\(other) is missing: a line has both, chip and line.")
        case _ where reader.choice("type", ReaderType.self) == .pcsc:
            issues.error("reader-reset", at: reset.position(of: "line"),
                         "\(reset.path).line is the reset pin of a PN532; a PC/SC reader has `usb` only.")
        case _: break
        }
    }

    /// Why the USB port of a reader cannot be switched, as a sentence; nil when it can, or when that cannot be known.
    private static func complaintAboutUSB(of reader: TableReading) -> String? {
        switch reader.choice("type", ReaderType.self) {
        case .pcsc:
            guard let match = reader.tables["match"] else { return nil }
            guard match.present.contains("port") else {
                return "the reader is not bound by `port`, so nobody has said which port may be switched."
            }
            guard let port = match.text("port"), !port.contains("-") else { return nil }
            return "\"\(port)\" is no USB path such as \"1-1.2\"."
        case .pn532:
            guard let chip = reader.tables["chip"], let bus = chip.choice("bus", ChipBus.self) else { return nil }
            if bus != .uart { return "a chip on \(bus.rawValue) hangs on no USB port." }
            guard let device = chip.text("device"), ChipDeviceName(device).isBoardPort else { return nil }
            return "\(device) is a port of the board itself, on no USB."
        case nil: return nil
        }
    }
}

/// A device's name, looked at for what it says about the device. Nothing on the machine is looked at.
struct ChipDeviceName {
    /// The name without what changes nothing about it.
    let path: String
    /// The device's own name where it stands in /dev itself.
    private let node: Substring?

    init(_ text: String) {
        let parts = text.split(separator: "/").filter { $0 != "." }
        path = "/" + parts.joined(separator: "/")
        node = parts.count == 2 && parts[0] == "dev" ? parts[1] : nil
    }

    /// Serial adapters are numbered as they are found: `ttyUSB0`, `ttyACM0`, or `ttyCH341USB0` by the driver of a vendor.
    var isIndex: Bool {
        guard let node, node.hasPrefix("tty"), let last = node.last, Self.isDigit(last) else { return false }
        let word = String(node.reversed().drop(while: Self.isDigit).reversed())
        return word == "ttyACM" || word.hasSuffix("USB")
    }

    /// A serial port of the board itself hangs on no USB.
    var isBoardPort: Bool {
        guard let node else { return false }
        return ["ttyAMA", "ttyS"].contains { node.hasPrefix($0) && Self.isNumber(node.dropFirst($0.count)) }
    }

    /// The bus that the name is one of; nil where it does not say.
    var bus: ChipBus? {
        guard let node else { return path.hasPrefix("/dev/serial/") ? .uart : nil }
        if node.hasPrefix("spidev") { return .spi }
        if node.hasPrefix("i2c-") { return .i2c }
        return node.hasPrefix("tty") ? .uart : nil
    }

    private static func isNumber(_ text: Substring) -> Bool { !text.isEmpty && text.allSatisfy(isDigit) }

    private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }
}
