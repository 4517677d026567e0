import Foundation
import Testing

@testable import Readers

/// O5, at the seam: a folder in place of the kernel's. What a real hub makes of it was not tried.
@Suite("The USB port of a reader")
struct USBPortTests {
    private let top = FileManager.default.temporaryDirectory.appendingPathComponent("tapstile-usb-\(UUID().uuidString)")
    private var shut: ShutPorts { ShutPorts(directory: top.path) }
    private var classes: String { top.appendingPathComponent("class/tty").path }
    private var device: String { top.appendingPathComponent("dev/by-path-1").path }

    /// A serial adapter at port 1-1.2, as the kernel shows it.
    private func plugIn() throws {
        let files = FileManager.default
        let usb = top.appendingPathComponent("devices/usb1/1-1/1-1.2")
        let tty = usb.appendingPathComponent("1-1.2:1.0/ttyUSB0")
        for folder in [tty, top.appendingPathComponent("dev"), top.appendingPathComponent("class/tty/ttyUSB0")] {
            try files.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        for place in ["1-1.2", "1-1.2/1-1.2:1.0", ""] {
            let folder = top.appendingPathComponent("devices/usb1/1-1/\(place)")
            try "-".write(to: folder.appendingPathComponent("authorized"), atomically: false, encoding: .utf8)
        }
        for place in ["1-1.2", ""] {
            try "5\n".write(to: top.appendingPathComponent("devices/usb1/1-1/\(place)/devnum"), atomically: false, encoding: .utf8)
        }
        try "".write(to: top.appendingPathComponent("dev/ttyUSB0"), atomically: false, encoding: .utf8)
        try files.createSymbolicLink(atPath: device, withDestinationPath: top.appendingPathComponent("dev/ttyUSB0").path)
        try files.createSymbolicLink(atPath: classes + "/ttyUSB0/device", withDestinationPath: tty.path)
    }

    private func remove() { try? FileManager.default.removeItem(at: top) }

    private func authorized(_ place: String) throws -> String {
        try String(contentsOf: top.appendingPathComponent("devices/usb1/1-1/\(place)/authorized"), encoding: .utf8)
    }

    @Test func theDeviceIsFoundAndNotItsInterfaceOrHub() throws {
        defer { remove() }
        try plugIn()
        #expect(USBPort.folder(of: device, classes)?.hasSuffix("/devices/usb1/1-1/1-1.2") == true)
        #expect(USBPort.folder(of: device + "x", classes) == nil)
        #expect(USBPort.folder(of: device, classes + "x") == nil)
    }

    @Test func itIsShutAndOpened() throws {
        defer { remove() }
        try plugIn()
        try USBPort(device: device, shut: shut, classes: classes).reauthorise()
        // A file keeps what was written last; the kernel's takes each word.
        #expect(try ["1-1.2", "1-1.2/1-1.2:1.0", ""].map(authorized) == ["1", "-", "-"])
        #expect(throws: LinkFault(code: "usb-port-unknown", message: "")) {
            try USBPort(device: "/dev/null", shut: shut, classes: classes).reauthorise()
        }
    }

    /// A named pipe keeps both words.
    @Test func bothWordsAreWrittenInTheirOrderAlsoWhenTheDeviceHasGone() throws {
        defer { remove() }
        try plugIn()
        let port = USBPort(device: device, shut: shut, classes: classes)
        try port.reauthorise()
        try FileManager.default.removeItem(atPath: device)
        let file = top.appendingPathComponent("devices/usb1/1-1/1-1.2/authorized").path
        try FileManager.default.removeItem(atPath: file)
        #expect(mkfifo(file, 0o600) == 0)
        let reader = open(file, O_RDWR | O_NONBLOCK)
        defer { close(reader) }
        try port.reauthorise()
        var bytes = [UInt8](repeating: 0, count: 8)
        let count = read(reader, &bytes, bytes.count)
        #expect(Array(bytes.prefix(max(0, count))) == Array("01".utf8))
    }

    @Test func aPortThatMayNotBeSwitchedSaysSo() throws {
        defer { remove() }
        try plugIn()
        let file = top.appendingPathComponent("devices/usb1/1-1/1-1.2/authorized")
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        #expect(throws: LinkFault(code: "usb-port-denied", message: "")) { try USBPort(device: device, shut: shut, classes: classes).reauthorise() }
    }
}
