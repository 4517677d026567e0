import Files
import Foundation
import Testing
import Threads

@Suite("Small files")
struct SmallFileTests {
    @Test("A replaced file is whole, with its mode, and leaves nothing beside it")
    func replace() throws {
        let folder = try Folder()
        try SmallFile.replace(folder.file("a"), with: [1, 2, 3], mode: 0o600)
        try SmallFile.replace(folder.file("a"), with: [], mode: 0o600)
        #expect(try SmallFile.read(folder.file("a")) == [])
        let long = [UInt8](repeating: 7, count: 100_000)
        try SmallFile.replace(folder.file("a"), with: long, mode: 0o600)
        #expect(try SmallFile.read(folder.file("a")) == long)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a"])
        let mode = try FileManager.default.attributesOfItem(atPath: folder.file("a"))[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("Nobody loses a device, a pipe or a folder by naming it for what is written")
    func noFile() throws {
        let folder = try Folder()
        try #require(mkfifo(folder.file("pipe"), 0o600) == 0)
        for path in [folder.file("pipe"), folder.path] {
            #expect(throws: SystemError("replace \(path)", EEXIST)) { try SmallFile.replace(path, with: [1]) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["pipe"])
    }

    @Test("Nobody waits for a pipe, and nobody reads a device that has no end")
    func noFileIsRead() throws {
        let folder = try Folder()
        try #require(mkfifo(folder.file("pipe"), 0o600) == 0)
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: "/dev/zero")
        try #require(mknod(folder.file("socket"), S_IFSOCK | 0o600, 0) == 0)
        for path in [folder.file("pipe"), folder.file("link"), folder.file("socket"), "/dev/zero"] {
            let refused = SystemError("read \(path)", SystemError.notAFile)
            #expect(throws: refused) { try SmallFile.read(path) }
            #expect(throws: refused) { try SmallFile.readPrivate(path, limit: 1) }
            #expect(refused.code == "not-a-file" && refused.message == "read \(path): No file, but a pipe, a device or a socket.")
        }
    }

    @Test("A file that is too long is not read, a folder is none, a missing one is named")
    func refused() throws {
        let folder = try Folder()
        try SmallFile.replace(folder.file("a"), with: [1, 2, 3, 4])
        #expect(try SmallFile.read(folder.file("a"), limit: 4).count == 4)
        #expect(throws: SystemError("read \(folder.file("a"))", EFBIG)) { try SmallFile.read(folder.file("a"), limit: 3) }
        #expect(throws: SystemError("read \(folder.path)", EISDIR)) { try SmallFile.read(folder.path) }
        let missing = SystemError("open \(folder.file("b"))", ENOENT)
        #expect(throws: missing) { try SmallFile.read(folder.file("b")) }
        #expect(missing.message == "open \(folder.file("b")): No such file or directory.")
        #expect(missing.code == "system-call-failed")
        #expect(SystemError("x", -ENOENT) == SystemError("x", ENOENT))
    }
}
