import Files
import Glibc
import Threads

/// The USB port that a serial adapter hangs on. The kernel forgets a device whose port is no longer authorised, and finds it anew
/// when it is again: as if somebody had pulled the plug, save that its power stays on.
public final class USBPort: ReaderPort {
    private let device: String
    private let classes: String
    /// Where the device hung when it was last there: a port is shut for good if nobody remembers which it was.
    private let found = Mutex<String?>(nil)

    /// Between shutting and opening.
    private static let pauseMicroseconds: UInt32 = 100_000

    /// - Parameters:
    ///   - device: a serial device, or a link to one.
    ///   - classes: where the kernel shows its serial devices.
    public init(device: String, classes: String = "/sys/class/tty") {
        self.device = device
        self.classes = classes
    }

    public func reauthorise() throws(LinkFault) {
        guard let folder = folder else {
            throw LinkFault(code: "usb-port-unknown", message: "\(device) hangs on no USB port that the kernel shows.")
        }
        do throws(SystemError) {
            try Self.write("0", folder)
            usleep(Self.pauseMicroseconds)
            try Self.write("1", folder)
        } catch {
            // One that was shut and could not be opened stays shut: the next attempt opens it.
            throw LinkFault(code: "usb-port-denied", message: "The USB port of \(device) cannot be switched. \(error.message)")
        }
    }

    /// Of the USB device, as long as it can be found; else where it was found last.
    private var folder: String? {
        let now = Self.folder(of: device, classes)
        return found.withLock { found in
            found = now ?? found
            return found
        }
    }

    /// The kernel's folder of the USB device that a serial device belongs to.
    static func folder(of device: String, _ classes: String) -> String? {
        guard let name = real(device)?.split(separator: "/").last, var folder = real("\(classes)/\(name)/device") else { return nil }
        // An interface can be authorised too; only the device has a number.
        while folder.contains("/") {
            if exists("\(folder)/devnum"), exists("\(folder)/authorized") { return folder }
            folder = folder.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        }
        return nil
    }

    private static func real(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    private static func write(_ word: String, _ folder: String) throws(SystemError) {
        try FileDescriptor(path: "\(folder)/authorized", flags: O_WRONLY).write(Array(word.utf8))
    }
}
