import CPCSC
import Files
import Glibc
import Threads

/// Asks new readers for their serial number and port, each on a short thread of its own: a
/// reader that hangs must not keep the others waiting. Does nothing when every binding goes by name.
///
/// The watcher adds threads, whoever stops asks for them. `threads` guards the list; the lock of a worker comes after it.
final class ReaderIdentifier: Sendable {
    private let room: ReaderRoom
    private let isNeeded: Bool
    private let threads = Mutex<[Worker]>([])

    private static let attempts = 10
    private static let pause: Int64 = 500

    init(room: ReaderRoom, bindings: [ReaderBinding]) {
        self.room = room
        self.isNeeded = bindings.contains { binding in
            switch binding.match {
            case .name: false
            case .serial, .port: true
            }
        }
    }

    func identify(_ pcscNames: [String]) {
        guard isNeeded else { return }
        for pcscName in pcscNames {
            do {
                let thread = try Worker(reader: "pcsc-identify") { [room] in
                    ReaderIdentifier.identify(pcscName, in: room)
                }
                threads.withLock { threads in
                    threads.removeAll { $0.ends(byMonotonicMilliseconds: 0) }
                    threads.append(thread)
                }
            } catch {
                room.note(nil, error.code, error.message)
            }
        }
    }

    /// The threads that may still run.
    var running: [Worker] { threads.withLock(\.self) }

    private static func identify(_ pcscName: String, in room: ReaderRoom) {
        var last: PCSCError?
        for _ in 0..<attempts where !room.isStopping {
            do throws(PCSCError) {
                let reader = try ask(pcscName)
                room.monitor.change { $0.identified(reader, at: MonotonicTime.milliseconds) }
                return room.publish()
            } catch {
                last = error
                if error.kind == .readerGone || error.kind == .contextLost { return }
            }
            room.pause(milliseconds: pause)
        }
        if let last {
            room.note(nil, last.code, "The reader \(pcscName) could not be asked who it is. \(last.message)")
        }
    }

    private static func ask(_ pcscName: String) throws(PCSCError) -> AttachedReader {
        let context = try PCSCContext()
        let connection = try context.connectDirectly(pcscName)
        defer { connection.disconnect(.leave) }
        let serial = connection.attribute(CPCSC_ATTRIBUTE_SERIAL).flatMap(Self.text)
        let channel = connection.attribute(CPCSC_ATTRIBUTE_CHANNEL).flatMap(ReaderChannel.init)
        return AttachedReader(pcscName: pcscName, serial: serial, port: channel?.port)
    }

    /// Drivers close the text with a zero, or do not.
    private static func text(_ bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        return text.isEmpty ? nil : text
    }
}

/// SCARD_ATTR_CHANNEL_ID: the kind of port in the upper half, its number in the lower
/// (PC/SC part 3, 3.1.2; USB is kind 0x20 with bus and device number, as libccid gives it).
struct ReaderChannel: Equatable {
    let number: UInt32

    private static let usb: UInt32 = 0x20
    private static let devices = "/sys/bus/usb/devices"

    /// A DWORD in the machine's own byte order; drivers give four or eight bytes.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 4 else { return nil }
        self.number = bytes.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    init(number: UInt32) {
        self.number = number
    }

    /// The kernel's path of a USB device, which stays when it is replugged there; the number
    /// itself for any other kind of port.
    var port: String {
        guard number >> 16 == Self.usb else { return hexadecimal }
        return Self.usbPath(bus: number >> 8 & 0xFF, device: number & 0xFF, below: Self.devices) ?? hexadecimal
    }

    static func usbPath(bus: UInt32, device: UInt32, below folder: String) -> String? {
        guard let listing = opendir(folder) else { return nil }
        defer { closedir(listing) }
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if number(in: "\(folder)/\(name)/busnum") == bus, number(in: "\(folder)/\(name)/devnum") == device {
                return name
            }
        }
        return nil
    }

    private static func number(in path: String) -> UInt32? {
        guard let digits = try? SmallFile.read(path, limit: 16) else { return nil }
        return UInt32(String(decoding: digits.prefix { $0 != 10 }, as: UTF8.self))
    }

    private var hexadecimal: String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
