import Glibc
import Threads

/// Reading and replacing small files whole.
public enum SmallFile {
    private static let pieceLength = 4096

    /// The bytes of a file.
    /// - Parameter limit: a longer file is refused (EFBIG) before it is read.
    public static func read(_ path: String, limit: Int = 1 << 20) throws(SystemError) -> [UInt8] {
        let file = try FileDescriptor(path: path, flags: O_RDONLY)
        var content: [UInt8] = []
        while true {
            let piece = try file.read(upTo: pieceLength)
            if piece.isEmpty { return content }
            guard content.count + piece.count <= limit else { throw SystemError("read \(path)", EFBIG) }
            content += piece
        }
    }

    /// Replaces a file so that after a power cut there is either the old or the new one: written beside it,
    /// synced, renamed, and the folder synced. What is neither a file nor a link is not replaced (EEXIST): root's /dev/null would be gone.
    public static func replace(_ path: String, with bytes: [UInt8], mode: UInt32 = 0o640) throws(SystemError) {
        var facts = stat()
        if lstat(path, &facts) == 0, ![S_IFREG, S_IFLNK].contains(facts.st_mode & S_IFMT) { throw SystemError("replace \(path)", EEXIST) }
        let fresh = path + ".new"
        try writeSynced(fresh, bytes, mode: mode)
        let failure = Loop.outside(.disk) { rename(fresh, path) == 0 ? 0 : errno }
        guard failure == 0 else { throw SystemError("rename \(fresh)", failure) }
        try synchroniseFolder(of: path)
    }

    private static func writeSynced(_ path: String, _ bytes: [UInt8], mode: UInt32) throws(SystemError) {
        let file = try FileDescriptor(path: path, flags: O_WRONLY | O_CREAT | O_TRUNC, mode: mode)
        try file.write(bytes)
        try file.sync()
    }

    /// Waits until the entries of the folder that holds `path` are on the disk.
    public static func synchroniseFolder(of path: String) throws(SystemError) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        try FileDescriptor(path: folder, flags: O_RDONLY | O_DIRECTORY).sync()
    }
}
