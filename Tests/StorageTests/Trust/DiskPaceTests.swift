import Files
import Glibc
import Testing
import Threads

@testable import Storage

@Suite("A disk that fails under a large file")
struct DiskPaceTests {
    @Test func whatItSaidOnceIsKept() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        // Nothing in a pipe can be brought to a disk.
        let file = FileDescriptor(owning: ends[0], path: "the file"), other = FileDescriptor(owning: ends[1])
        let disk = DiskPace(file)
        try disk.check()
        #expect(!disk.keepsUp())
        #expect(throws: SystemError("sync the file", EINVAL)) { try disk.check() }
        withExtendedLifetime(other) {}
    }
}
