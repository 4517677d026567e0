import Glibc
import Threads

/// Reading and replacing small files whole.
public enum SmallFile {
    /// The bytes of a file.
    /// - Parameter limit: a longer file is refused (EFBIG) before it is read.
    public static func read(_ path: String, limit: Int = 1 << 20) throws(SystemError) -> [UInt8] {
        let file = try FileDescriptor(path: path, flags: O_RDONLY)
        var content: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(file.raw, &piece, piece.count)
            if count == 0 { return content }
            if count < 0 {
                if errno == EINTR { continue }
                throw SystemError("read \(path)", errno)
            }
            guard content.count + count <= limit else { throw SystemError("read \(path)", EFBIG) }
            content += piece[..<count]
        }
    }

    /// Replaces a file so that after a power cut there is either the old or the new one: written beside it,
    /// synced, renamed, and the folder synced.
    public static func replace(_ path: String, with bytes: [UInt8], mode: UInt32 = 0o640) throws(SystemError) {
        let fresh = path + ".new"
        try writeSynced(fresh, bytes, mode: mode)
        guard rename(fresh, path) == 0 else { throw SystemError("rename \(fresh)", errno) }
        try synchroniseFolder(of: path)
    }

    private static func writeSynced(_ path: String, _ bytes: [UInt8], mode: UInt32) throws(SystemError) {
        let file = try FileDescriptor(path: path, flags: O_WRONLY | O_CREAT | O_TRUNC, mode: mode)
        try file.write(bytes, path: path)
        try file.synchronise(path: path)
    }

    /// Waits until the entries of the folder that holds `path` are on the disk.
    package static func synchroniseFolder(of path: String) throws(SystemError) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = try FileDescriptor(path: folder, flags: O_RDONLY | O_DIRECTORY)
        try descriptor.synchronise(path: folder)
    }
}
