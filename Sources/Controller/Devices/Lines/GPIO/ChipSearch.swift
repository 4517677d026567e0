import Glibc

/// Finds the device file of a chip that an installer named by path, name or label.
enum ChipSearch {
    static let devices = "/dev"
    static let namePrefix = "gpiochip"

    /// - Throws: `.noChip`, `.ambiguousChip`, or `.noPermission` when the label may belong to a chip
    ///   that this user may not open.
    static func path(of chip: String) throws(LineError) -> String {
        if chip.contains("/") { return chip }
        if isName(chip) { return "\(devices)/\(chip)" }
        return try path(labelled: chip)
    }

    /// "gpiochip" and a number: the kernel's way to name chips.
    static func isName(_ chip: String) -> Bool {
        guard chip.hasPrefix(namePrefix) else { return false }
        let number = chip.dropFirst(namePrefix.count)
        return !number.isEmpty && number.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    private static func path(labelled label: String) throws(LineError) -> String {
        var found: [String] = []
        var closed: LineError?
        for path in paths() {
            do throws(LineError) {
                let chip = try GPIOChip(path: path, wanted: label)
                if chip.label == label { found.append(path) }
            } catch {
                if case .noPermission = error { closed = closed ?? error }
            }
        }
        if found.count > 1 { throw .ambiguousChip(chip: label, paths: found) }
        if let path = found.first { return path }
        throw closed ?? .noChip(chip: label)
    }

    /// The device files of all chips, in the order of their numbers.
    private static func paths() -> [String] {
        guard let directory = opendir(devices) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if isName(name) { names.append(name) }
        }
        return names.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }.map { "\(devices)/\($0)" }
    }
}
