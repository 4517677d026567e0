import Files
import Glibc
import Threads

extension RadioBlock {
    /// What the kernel says of an adapter; nil when nothing blocks it, or the kernel does not tell.
    /// - Parameter folder: `/sys/class/bluetooth`
    static func of(adapter: UInt16, below folder: String) -> RadioBlock? {
        let adapter = "\(folder)/hci\(adapter)"
        let switches = entries(of: adapter).filter { $0.hasPrefix("rfkill") }
        if switches.contains(where: { isSet("\(adapter)/\($0)/hard") }) { return .hard }
        return switches.contains { isSet("\(adapter)/\($0)/soft") } ? .soft : nil
    }

    private static func isSet(_ file: String) -> Bool {
        guard let bytes = try? SmallFile.read(file, limit: 16) else { return false }
        return bytes.first == UInt8(ascii: "1")
    }

    private static func entries(of folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(withUnsafeBytes(of: entry.pointee.d_name) { name in
                String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
            })
        }
        return names
    }
}
