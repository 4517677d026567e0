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
}
