import Glibc

extension LineError {
    /// What it means that the chip at `path` could not be opened.
    init(opening path: String, wanted: String, errno: Int32) {
        self = switch errno {
        case ENOENT, ENOTDIR: .noChip(chip: wanted)
        case EACCES, EPERM: .noPermission(path: path)
        // A regular file, another device, a device file that no driver stands behind.
        case ENOTTY, ENODEV, ENXIO, EISDIR: .notAChip(path: path)
        default: .failed(doing: "Opening \(path)", errno: errno)
        }
    }
}
