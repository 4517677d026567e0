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
