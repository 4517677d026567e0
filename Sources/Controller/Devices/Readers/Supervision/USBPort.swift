import Glibc
import Threads

/// The USB port that a reader hangs on. The kernel forgets a device whose port is no longer authorised, and finds it anew
/// when it is again: as if somebody had pulled the plug, save that its power stays on.
///
/// The reader's thread and the supervisor's call. `found` guards a path, and nothing is called under it.
public final class USBPort: ReaderPort {
    private enum Place {
        /// That of a serial adapter: its serial device, or a link to one, and where the kernel shows its serial devices.
        case serial(device: String, classes: String)
        /// The kernel's name of the port (`1-1.2`), and where it shows what hangs on its ports.
        case named(String, devices: String)

        var name: String {
            switch self {
            case .serial(let device, _): device
            case .named(let port, _): port
            }
        }
    }

    private let place: Place
    private let shut: ShutPorts
    /// Where the device hung when it was last there: a port is shut for good if nobody remembers which it was.
    private let found = Mutex<String?>(nil)

    /// Between shutting and opening.
    private static let pauseMicroseconds: UInt32 = 100_000

    /// The port that a serial adapter hangs on.
    /// - Parameters:
    ///   - device: a serial device, or a link to one.
    ///   - shut: where it is written down while the port is shut.
    ///   - classes: where the kernel shows its serial devices.
    public init(device: String, shut: ShutPorts, classes: String = "/sys/class/tty") {
        place = .serial(device: device, classes: classes)
        self.shut = shut
    }

    /// The port of that name.
    /// - Parameters:
    ///   - port: the kernel's path (`1-1.2`).
    ///   - shut: where it is written down while the port is shut.
    ///   - devices: where the kernel shows what hangs on its ports.
    public init(port: String, shut: ShutPorts, devices: String = "/sys/bus/usb/devices") {
        place = .named(port, devices: devices)
        self.shut = shut
    }

    public func reauthorise() throws(LinkFault) {
        guard let folder = folder else {
            throw LinkFault(code: "usb-port-unknown", message: "\(place.name) hangs on no USB port that the kernel shows.")
        }
        do throws(SystemError) {
            try shut.whileShut(folder) { usleep(Self.pauseMicroseconds) }
        } catch {
            // One that was shut and could not be opened stays shut: the next attempt opens it.
            throw LinkFault(code: "usb-port-denied", message: "The USB port of \(place.name) cannot be switched. \(error.message)")
        }
    }

    /// Of the USB device, as long as it can be found; else where it was found last.
    private var folder: String? {
        let now = switch place {
        case .serial(let device, let classes): Self.folder(of: device, classes)
        case .named(let port, let devices): Self.folder(named: port, devices)
        }
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
            if isDevice(folder) { return folder }
            folder = folder.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        }
        return nil
    }

    /// The kernel's folder of the USB device at that port.
    static func folder(named port: String, _ devices: String) -> String? {
        guard !port.contains("/"), let folder = real("\(devices)/\(port)"), isDevice(folder) else { return nil }
        return folder
    }

    private static func isDevice(_ folder: String) -> Bool { exists("\(folder)/devnum") && exists("\(folder)/authorized") }

    private static func real(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}

/// The USB port that a reader hangs on.
public protocol ReaderPort: Sendable {
    /// Shuts the port and opens it, so that the kernel finds the device anew. On the reader's own thread.
    func reauthorise() throws(LinkFault)
}
