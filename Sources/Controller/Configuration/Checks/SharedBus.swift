import Glibc

/// Which I²C bus a device or a GPIO chip hangs on, by what the kernel says of it. Whoever may open a bus commands every chip on it.
struct SharedBus {
    private let resolve: (String) -> String?
    private let chips: (_ label: String) -> [String]

    /// - Parameters:
    ///   - resolve: a path without links; nil where there is none. Tests bring their own.
    ///   - chips: the kernel's folders of the GPIO chips with that label.
    init(resolve: @escaping (String) -> String? = MachinePath.real, chips: @escaping (String) -> [String] = Self.labelled) {
        self.resolve = resolve
        self.chips = chips
    }

    /// The bus of a device such as `/dev/i2c-1`, or a link to one; nil where the machine does not know it.
    func bus(ofDevice path: String) -> String? {
        guard let name = MachinePath.name(resolve(path) ?? path), name.hasPrefix("i2c-") else { return nil }
        return resolve("/sys/bus/i2c/devices/\(name)").flatMap(Self.adapter)
    }

    /// The bus of a GPIO chip by its name, path or label; nil for one that hangs on none, or is not there.
    func bus(ofChip chip: String) -> String? {
        let isPath = chip.utf8.contains(UInt8(ascii: "/"))
        let name = isPath ? MachinePath.name(resolve(chip) ?? chip) : chip
        let named = name.flatMap { resolve("/sys/bus/gpio/devices/\($0)") }
        let folders = isPath || named != nil ? [named].compactMap { $0 } : chips(chip)
        return folders.lazy.compactMap(Self.adapter).first
    }

    /// The outermost bus on a way such as `…/i2c-1/i2c-4/4-0020/gpiochip2`: whoever has it also has those behind its multiplexers.
    private static func adapter(_ folder: String) -> String? {
        folder.utf8.split(separator: UInt8(ascii: "/")).lazy.compactMap { String($0) }.first { part in
            part.hasPrefix("i2c-") && part.utf8.count > 4 && part.utf8.dropFirst(4).allSatisfy { (0x30...0x39).contains($0) }
        }
    }

    private static func labelled(_ label: String) -> [String] {
        let folder = "/sys/class/gpio"
        return MachinePath.names(in: folder).filter { $0.hasPrefix("gpiochip") }.compactMap { name in
            guard let bytes = try? FileText.read("\(folder)/\(name)/label", limit: 4096) else { return nil }
            return bytes.elementsEqual(Array((label + "\n").utf8)) ? MachinePath.real("\(folder)/\(name)") : nil
        }
    }
}
