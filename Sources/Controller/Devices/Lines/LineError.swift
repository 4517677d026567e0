import Threads

/// Why a line could not be had or moved.
public enum LineError: Error, Hashable, Sendable {
    /// There is no such chip on this board.
    case noChip(chip: String)
    /// Several chips carry this label.
    case ambiguousChip(chip: String, paths: [String])
    /// The path is there and no GPIO chip.
    case notAChip(path: String)
    /// This user may not open the chip.
    case noPermission(path: String)
    /// The chip has no such line.
    case noLine(chip: String, line: LinePlace, count: UInt32)
    /// The chip has several lines of this name.
    case ambiguousLine(chip: String, line: LinePlace)
    /// Another program, or the kernel, holds the line. The consumer is empty when it gave no name.
    case busy(chip: String, line: LinePlace, consumer: String)
    /// The chip cannot tell when the level of this input changes.
    case noEdges(chip: String, line: LinePlace)
    /// Two requests of ours name the same line, or carry the same name.
    case requestedTwice(name: LineName)
    /// The bank has no line of that name in that direction.
    case unknown(name: LineName)
    /// The bank was released before.
    case released
    /// The chip has not answered for so many milliseconds.
    case silent(chip: String, milliseconds: Int64)
    /// Anything else the kernel said, by errno.
    case failed(doing: String, errno: Int32)

    /// Stable, for operators to search for.
    public var code: String {
        switch self {
        case .noChip: "line-no-chip"
        case .ambiguousChip: "line-ambiguous-chip"
        case .notAChip: "line-not-a-chip"
        case .noPermission: "line-no-permission"
        case .noLine: "line-no-line"
        case .ambiguousLine: "line-ambiguous-line"
        case .busy: "line-busy"
        case .noEdges: "line-no-edges"
        case .requestedTwice: "line-requested-twice"
        case .unknown: "line-unknown"
        case .released: "line-released"
        case .silent: "line-silent"
        case .failed: "line-failed"
        }
    }

    /// A sentence for the installer that names the remedy (T13).
    public var message: String {
        switch self {
        case .noChip(let chip):
            "There is no GPIO chip \(chip). `gpiodetect` lists the chips of this board by name and label."
        case .ambiguousChip(let chip, let paths):
            "Several chips carry the label \(chip): \(paths.joined(separator: ", ")). Name one of them by path."
        case .notAChip(let path):
            "\(path) is no GPIO chip. `gpiodetect` lists the chips of this board."
        case .noPermission(let path):
            "This user may not open \(path). Install the udev rule that gives GPIO chips to the group tapstile-gate, "
                + "and run as the user tapstile (`ls -l \(path)` shows the group)."
        case .noLine(let chip, let line, let count):
            "The chip \(chip) has no \(line); it has \(count) lines from 0. `gpioinfo` lists them."
        case .ambiguousLine(let chip, let line):
            "The chip \(chip) has more than one \(line). Name it by its number (`gpioinfo` lists them)."
        case .busy(let chip, let line, let consumer):
            "The \(line) of \(chip) is in use by \(consumer.isEmpty ? "somebody without a name" : consumer). "
                + "Stop that program, or free the line in the device tree (`gpioinfo` shows the user)."
        case .noEdges(let chip, let line):
            "The \(chip) cannot tell when its \(line) changes: its interrupt is not connected, or not in the device tree. "
                + "Connect it, or use a chip that has one for inputs."
        case .requestedTwice(let name):
            "The line \(name) is asked for twice. Give each line one name and one use."
        case .unknown(let name): "There is no line \(name) that can be used like this."
        case .released: "The lines were given back already."
        case .silent(let chip, let milliseconds):
            "The chip \(chip) has not answered for \(milliseconds) ms. Look at the bus and plug it is on (`dmesg`)."
        case .failed(let doing, let errno): "\(doing) failed: \(SystemError.words(for: errno))."
        }
    }
}
