import Files
import Glibc
import Threads

/// A file that is being written, and gone again unless it was finished.
final class PartFile {
    private let path: String
    private let name: String
    private let file: FileDescriptor
    private var isFinished = false

    /// - Parameters:
    ///   - path: where it is written; what lies there from an earlier time is removed.
    ///   - name: what it becomes.
    init(path: String, becoming name: String) throws(SystemError) {
        (self.path, self.name) = (path, name)
        unlink(path)
        file = try FileDescriptor(path: path, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o644)
    }

    deinit { if !isFinished { unlink(path) } }

    func write(_ bytes: [UInt8]) throws(SystemError) { try file.write(bytes) }

    /// Gives it its name, once it is on the disk.
    func finish() throws(SystemError) {
        try file.sync()
        guard rename(path, name) == 0 else { throw SystemError("rename \(path)", errno) }
        isFinished = true
        try SmallFile.synchroniseFolder(of: name)
    }
}
