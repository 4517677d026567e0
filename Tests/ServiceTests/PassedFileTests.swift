import CLinux
import Foundation
import Testing
import Waits

@testable import Service

@Suite("Files over the control socket") struct PassedFileTests {
    private let notices = ControlNotices(overlong: [], busy: [], dropped: { _ in [] })

    private func server(_ path: String) throws -> ControlServer {
        try ControlServer(doors: [ControlDoor(path: path)], notices: notices) { _, _ in
            .workOnFile { file in
                guard let file else { return [Array("none".utf8)] }
                let contents = FileHandle(fileDescriptor: file.descriptor, closeOnDealloc: false).readDataToEndOfFile()
                return [Array(contents)]
            }
        }
    }

    @Test func anOpenFileTravelsWithItsLineAndNoOther() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tapstile-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("socket").path
        let server = try server(path)
        defer { server.stop() }
        let file = folder.appendingPathComponent("file")
        try "contents".write(to: file, atomically: true, encoding: .utf8)
        let handle = try FileHandle(forReadingFrom: file)

        let client = try ControlClient(path: path)
        try client.send(Array("with".utf8), file: handle.fileDescriptor)
        #expect(try client.receive(withinMilliseconds: Int64(WaitLimit.milliseconds)) == Array("contents".utf8))
        try client.send(Array("without".utf8))
        #expect(try client.receive(withinMilliseconds: Int64(WaitLimit.milliseconds)) == Array("none".utf8))
    }

    /// An observer once used up all of a gate's descriptors in four seconds: of several in one message two stayed open, whoever sent them.
    @Test(arguments: [1, 2, 3, 200]) func nothingStaysOpenOfFilesThatNobodyAskedFor(count: Int) throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { ends.forEach { close($0) } }
        let null = open("/dev/null", O_RDONLY)
        defer { close(null) }
        try Self.send([Int32](repeating: null, count: count), over: ends[0])
        let before = try Self.descriptors()
        var byte: UInt8 = 0, file: Int32 = -1
        #expect(clinux_receive_with_file(ends[1], &byte, 1, &file) == 1)
        if file >= 0 { close(file) }
        #expect(try Self.descriptors() == before)
    }

    /// The numbers of this process's descriptors that lead to /dev/null.
    private static func descriptors() throws -> Set<String> {
        let all = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        return Set(all.filter { (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == "/dev/null" })
    }

    private static func send(_ files: [Int32], over socket: Int32) throws {
        let size = MemoryLayout<cmsghdr>.size + files.count * MemoryLayout<Int32>.size
        let control = UnsafeMutableRawPointer.allocate(byteCount: size + 16, alignment: 16)
        defer { control.deallocate() }
        var head = cmsghdr()
        (head.cmsg_len, head.cmsg_level, head.cmsg_type) = (size, SOL_SOCKET, Int32(SCM_RIGHTS))
        control.storeBytes(of: head, as: cmsghdr.self)
        for (index, file) in files.enumerated() {
            control.storeBytes(of: file, toByteOffset: MemoryLayout<cmsghdr>.size + index * MemoryLayout<Int32>.size, as: Int32.self)
        }
        var byte: UInt8 = 32
        let sent = withUnsafeMutablePointer(to: &byte) { byte in
            var piece = iovec(iov_base: byte, iov_len: 1)
            return withUnsafeMutablePointer(to: &piece) { piece in
                var message = msghdr(msg_name: nil, msg_namelen: 0, msg_iov: piece, msg_iovlen: 1, msg_control: control, msg_controllen: size, msg_flags: 0)
                return sendmsg(socket, &message, 0)
            }
        }
        try #require(sent == 1)
    }
}
