import Foundation

/// A chip of the kernel's gpio-sim, made through configfs; it goes with the test. Tests that need one
/// are skipped where `folder` says nothing: only a board has the driver, and only root may use it.
final class SimulatedChip {
    /// Where gpio-sim takes orders; "/sys/kernel/config/gpio-sim" on a board.
    static let folder = ProcessInfo.processInfo.environment["TAPSTILE_GPIO_SIM"]

    struct Impossible: Error {
        let path: String
        let errno: Int32
    }

    enum Pull: String {
        case up = "pull-up"
        case down = "pull-down"
    }

    let label: String
    /// The kernel's name: "gpiochip0".
    let name: String
    private let folder: String
    private let device: String
    private var isThere = true

    /// A chip with this label and lines with these names.
    init(_ label: String, lines: [String]) throws {
        self.label = label
        folder = "\(Self.folder ?? "")/\(UUID().uuidString)"
        try Self.make("\(folder)")
        try Self.make("\(folder)/bank")
        try Self.write(label, to: "\(folder)/bank/label")
        try Self.write(String(lines.count), to: "\(folder)/bank/num_lines")
        for (number, line) in lines.enumerated() {
            try Self.make("\(folder)/bank/line\(number)")
            try Self.write(line, to: "\(folder)/bank/line\(number)/name")
        }
        try Self.write("1", to: "\(folder)/live")
        name = try Self.read("\(folder)/bank/chip_name")
        device = try Self.read("\(folder)/dev_name")
    }

    deinit {
        try? remove()
    }

    /// The voltage of a line, whoever drives it: 0 or 1.
    func level(_ line: Int) throws -> String {
        try Self.read("\(lineFolder(line))/value")
    }

    /// What a line falls to when nobody drives it, and what an input reads.
    func pull(_ line: Int, _ pull: Pull) throws {
        try Self.write(pull.rawValue, to: "\(lineFolder(line))/pull")
    }

    /// Takes the chip off the board, also while somebody holds its lines.
    func remove() throws {
        guard isThere else { return }
        isThere = false
        try Self.write("0", to: "\(folder)/live")
        let lines = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/bank").filter { $0.hasPrefix("line") }
        for path in lines.map({ "\(folder)/bank/\($0)" }) + ["\(folder)/bank", folder] where rmdir(path) != 0 {
            throw Impossible(path: path, errno: errno)
        }
    }

    private func lineFolder(_ line: Int) -> String {
        "/sys/devices/platform/\(device)/\(name)/sim_gpio\(line)"
    }

    private static func make(_ path: String) throws {
        guard mkdir(path, 0o755) == 0 else { throw Impossible(path: path, errno: errno) }
    }

    private static func read(_ path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// One write to the file that is there; Foundation's atomic one would make another file.
    private static func write(_ text: String, to path: String) throws {
        guard let file = FileHandle(forWritingAtPath: path) else { throw Impossible(path: path, errno: errno) }
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }
}
