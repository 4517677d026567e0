import Files
import Glibc
import Testing
import Threads

@Suite("Open descriptors")
struct FileDescriptorTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func open(_ name: String, _ flags: Int32 = O_RDWR | O_CREAT) throws -> FileDescriptor {
        try FileDescriptor(path: folder.file(name), flags: flags, mode: 0o600)
    }

    @Test("What is written one after the other is read so, and at any place")
    func bytes() throws {
        let file = try open("a")
        try file.write([1, 2, 3])
        try file.write([4, 5])
        try file.write([9], at: 1)
        try file.sync()
        try file.syncData()
        #expect(try file.size() == 5)
        #expect(try file.read(count: 3, at: 1) == [9, 3, 4])
        #expect(try file.read(count: 100, at: 3) == [4, 5])
        #expect(try file.read(count: 1, at: 5) == [])
        let again = try open("a", O_RDONLY)
        #expect(try again.read(upTo: 3) == [1, 9, 3])
        #expect(try again.read(upTo: 3) == [4, 5])
        #expect(try again.read(upTo: 3) == [])
    }

    @Test("Errors name the file and say why")
    func errors() throws {
        let path = folder.file("a")
        #expect(throws: SystemError("open \(path)", ENOENT)) { try open("a", O_RDONLY) }
        _ = try open("a")
        let reader = try open("a", O_RDONLY)
        #expect(throws: SystemError("write \(path)", EBADF)) { try reader.write([1]) }
        #expect(throws: SystemError("write \(path)", EBADF)) { try reader.write([1], at: 0) }
        let writer = try open("a", O_WRONLY)
        #expect(throws: SystemError("read \(path)", EBADF)) { try writer.read(upTo: 1) }
        #expect(throws: SystemError("read \(path)", EBADF)) { try writer.read(count: 1, at: 0) }
    }

    @Test("The mode is what was asked for, whatever the mask of the process")
    func mode() throws {
        let file = try open("a")
        try file.setMode(0o666)
        var facts = stat()
        try #require(stat(folder.file("a"), &facts) == 0)
        #expect(facts.st_mode & 0o777 == 0o666)
    }

    @Test("A lock has one holder, until it is given back or closed")
    func locks() throws {
        let other = try open("a")
        do {
            let holder = try open("a")
            #expect(try holder.lock())
            #expect(try !other.lock())
            holder.unlock()
            #expect(try other.lock())
            other.unlock()
            #expect(try holder.lock())
        }
        #expect(try other.lock())
    }

    @Test("It stays open as long as somebody holds it, and is closed on exec")
    func closing() throws {
        var file: FileDescriptor? = try open("a")
        let number = try #require(file?.raw)
        let second = file
        file = nil
        #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
        withExtendedLifetime(second) {}
    }
}
