import Foundation
import Testing

@testable import Readers

@Suite struct ReaderChannelTests {
    @Test func anythingButUSBIsItsNumber() {
        #expect(ReaderChannel([0x02, 0x00, 0x01, 0x00])?.port == "00010002")
        #expect(ReaderChannel([0x02, 0x00, 0x01, 0x00, 0, 0, 0, 0])?.port == "00010002")
        #expect(ReaderChannel([0x02, 0x00, 0x01]) == nil)
    }

    @Test func aUSBDeviceIsFoundByBusAndNumber() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tapstile-usb-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, bus, device) in [("1-1", 1, 4), ("1-1.2", 1, 5), ("2-1", 2, 5), ("1-0:1.0", 0, 0)] {
            let path = folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
            try "\(bus)\n".write(to: path.appendingPathComponent("busnum"), atomically: false, encoding: .utf8)
            try "\(device)\n".write(to: path.appendingPathComponent("devnum"), atomically: false, encoding: .utf8)
        }
        #expect(ReaderChannel.usbPath(bus: 1, device: 5, below: folder.path) == "1-1.2")
        #expect(ReaderChannel.usbPath(bus: 2, device: 5, below: folder.path) == "2-1")
        #expect(ReaderChannel.usbPath(bus: 3, device: 5, below: folder.path) == nil)
        #expect(ReaderChannel.usbPath(bus: 1, device: 5, below: folder.path + "/none") == nil)
    }
}
