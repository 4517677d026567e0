import Foundation
import Testing
import Threads

@testable import Readers

/// O5: a gate that is killed while a port is shut leaves no reader without one. At the seam: folders in place of the kernel's.
@Suite("USB ports that are shut")
struct ShutPortsTests {
    private let top = FileManager.default.temporaryDirectory.appendingPathComponent("tapstile-shut-\(UUID().uuidString)")
    private var note: String { top.appendingPathComponent("ports.shut").path }

    /// A device at a port that the kernel shows, and whether it may be used.
    private func device(_ port: String, _ authorized: String = "1\n") throws -> String {
        let folder = top.appendingPathComponent("devices/\(port)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in [("authorized", authorized), ("devnum", "7\n")] {
            try text.write(to: folder.appendingPathComponent(name), atomically: false, encoding: .utf8)
        }
        return folder.path
    }

    private func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

    private func remove() { try? FileManager.default.removeItem(at: top) }

    @Test func itIsWrittenDownWhichPortIsShutForAsLongAsItIs() throws {
        defer { remove() }
        let (one, other) = (try device("1-1"), try device("1-2"))
        let ports = ShutPorts(directory: top.path)
        try ports.whileShut(other) {
            #expect(text(note) == other && text("\(other)/authorized")?.first == "0")
            #expect(throws: Never.self) { try ports.whileShut(one) { #expect(text(note) == "\(one)\n\(other)") } }
            #expect(text(note) == other)
        }
        #expect(text(note) == nil && text("\(one)/authorized")?.first == "1" && text("\(other)/authorized")?.first == "1")
    }

    @Test func theNextGateOpensWhatWasLeftShut() throws {
        defer { remove() }
        let killed = try device("1-1", "0\n")
        try killed.write(toFile: note, atomically: false, encoding: .utf8)
        let left = ShutPorts(directory: top.path).openLeftBehind()
        #expect(left.map(\.port) == [killed] && left.first?.failure == nil)
        #expect(text("\(killed)/authorized")?.first == "1" && text(note) == nil)
        #expect(ShutPorts(directory: top.path).openLeftBehind().isEmpty, "once")
    }

    /// Somebody else may have shut a port for a reason of his own.
    @Test func itOpensNoOther() throws {
        defer { remove() }
        let (open, others, unplugged) = (try device("1-1"), try device("1-2", "0\n"), top.path + "/devices/1-3")
        try "\(open)\n\(unplugged)".write(toFile: note, atomically: false, encoding: .utf8)
        #expect(ShutPorts(directory: top.path).openLeftBehind().isEmpty)
        #expect(text("\(open)/authorized") == "1\n" && text("\(others)/authorized") == "0\n")
    }

    @Test func whatIsNoNoteOpensNothing() throws {
        defer { remove() }
        _ = try device("1-1")
        for bytes in [Data(), Data([0xFF, 0x0A, 0x00]), Data(repeating: 0x41, count: 1 << 17)] {
            try bytes.write(to: URL(fileURLWithPath: note))
            #expect(ShutPorts(directory: top.path).openLeftBehind().isEmpty)
        }
        #expect(ShutPorts(directory: top.path + "/none").openLeftBehind().isEmpty)
    }

    /// The next gate would otherwise know of no port to open.
    @Test func aPortThatCannotBeOpenedStaysWrittenDown() throws {
        defer { remove() }
        let folder = try device("1-1")
        #expect(throws: SystemError.self) {
            try ShutPorts(directory: top.path).whileShut(folder) {
                // Nobody can write there, not even root.
                unlink("\(folder)/authorized")
                mkdir("\(folder)/authorized", 0o755)
            }
        }
        #expect(text(note) == folder)
        rmdir("\(folder)/authorized")
        _ = try device("1-1", "0\n")
        #expect(ShutPorts(directory: top.path).openLeftBehind().map(\.port) == [folder])
        #expect(text("\(folder)/authorized")?.first == "1" && text(note) == nil)
    }

    private static let isRoot = getuid() == 0

    @Test(.disabled(if: isRoot, "root may write everything")) func theGateAfterTheNextOneTriesAgain() throws {
        defer { remove() }
        let folder = try device("1-1", "0\n")
        try folder.write(toFile: note, atomically: false, encoding: .utf8)
        chmod("\(folder)/authorized", 0o444)
        #expect(ShutPorts(directory: top.path).openLeftBehind().first?.failure != nil)
        #expect(text(note) == folder)
    }

    @Test func aPortThatCannotBeShutIsNotWrittenDown() throws {
        defer { remove() }
        let folder = top.appendingPathComponent("devices/1-1").path
        try FileManager.default.createDirectory(atPath: "\(folder)/authorized", withIntermediateDirectories: true)
        #expect(throws: SystemError.self) { try ShutPorts(directory: top.path).whileShut(folder) {} }
        #expect(text(note) == nil)
    }

    /// A reader hangs, and the disk is full: it is brought back all the same.
    @Test func aNoteThatCannotBeWrittenKeepsNobodyFromBringingAReaderBack() throws {
        defer { remove() }
        let folder = try device("1-1")
        var isShut = false
        try ShutPorts(directory: top.path + "/none").whileShut(folder) { isShut = text("\(folder)/authorized")?.first == "0" }
        #expect(isShut && text("\(folder)/authorized")?.first == "1")
    }

    @Test func aPortThatWasNamedIsFoundByItsName() throws {
        defer { remove() }
        let folder = try device("1-1.2")
        let devices = top.appendingPathComponent("devices").path
        #expect(USBPort.folder(named: "1-1.2", devices)?.hasSuffix("/devices/1-1.2") == true)
        #expect(USBPort.folder(named: "1-1.3", devices) == nil && USBPort.folder(named: "../devices/1-1.2", devices) == nil)
        try USBPort(port: "1-1.2", shut: ShutPorts(directory: top.path), devices: devices).reauthorise()
        #expect(text("\(folder)/authorized")?.first == "1")
        #expect(throws: LinkFault(code: "usb-port-unknown", message: "")) {
            try USBPort(port: "1-9", shut: ShutPorts(directory: top.path), devices: devices).reauthorise()
        }
    }
}
