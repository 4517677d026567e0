import Foundation
import Testing
import VirtualPhone
import Waits

@testable import ChipReaders

@Suite struct PortLockTests {
    @Test func aPortIsForOneProgram() throws {
        let bench = try ChipBench()
        let path = try #require(bench.chip.path)
        let link = FileManager.default.temporaryDirectory.appendingPathComponent("port-\(UUID().uuidString)").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        defer { unlink(link) }
        do {
            let lock = try PortLock(path)
            #expect(!lock.isGone)
            for name in [path, link, lock.path] {
                #expect(throws: ChipError.notOpened(.portHeld)) { try PortLock(name) }
            }
        }
        #expect(!(try PortLock(link).isGone))
    }

    @Test func aPortThatIsNotThereIsNamed() {
        #expect(throws: ChipError.notOpened(.portAbsent)) { try PortLock("/dev/there-is-no-such-port") }
        #expect(throws: ChipError.notOpened(.portAbsent)) { try PortLock("/dev/null/port") }
    }

    private static let isRoot = getuid() == 0

    @Test(.disabled(if: isRoot, "root may open everything")) func aPortOfOthersIsNamed() {
        #expect(throws: ChipError.notOpened(.portDenied)) { try PortLock("/dev/mem") }
    }

    @Test func aPortThatGoesIsNoticed() throws {
        let bench = try ChipBench()
        let lock = try PortLock(try #require(bench.chip.path))
        #expect(!lock.isGone)
        bench.chip.unplug()
        try waitUntil("the chip's thread to let go of the port") { lock.isGone }
    }
}
