import Files
import Foundation
@testable import Service
import Testing
import Threads

@Suite("One daemon on one state folder")
struct InstanceLockTests {
    @Test("The second one is told who the first is; afterwards the folder is free")
    func two() throws {
        let folder = try Folder()
        var first: InstanceLock? = try InstanceLock(directory: folder.path)
        let expected = InstanceLockError.alreadyRunning(process: getpid(), directory: folder.path)
        #expect(throws: expected) { try InstanceLock(directory: folder.path) }
        #expect(expected.code == "already-running")
        #expect(expected.message == "Another tapstiled (process \(getpid())) already serves \(folder.path); this one ends.")
        withExtendedLifetime(first) {}
        first = nil
        _ = try InstanceLock(directory: folder.path)
    }

    @Test("A lock file left by a process that is gone holds nobody back")
    func leftover() throws {
        let folder = try Folder()
        try Data("999999999999\nrubbish".utf8).write(to: URL(fileURLWithPath: folder.file("tapstiled.lock")))
        let lock = try InstanceLock(directory: folder.path)
        #expect(try SmallFile.read(folder.file("tapstiled.lock")) == Array("\(getpid())\n".utf8))
        withExtendedLifetime(lock) {}
    }

    @Test("A folder that is not there is named")
    func noFolder() throws {
        let folder = try Folder()
        #expect(throws: InstanceLockError.unusable(SystemError("open \(folder.path)/no/tapstiled.lock", ENOENT))) {
            try InstanceLock(directory: folder.file("no"))
        }
    }
}
