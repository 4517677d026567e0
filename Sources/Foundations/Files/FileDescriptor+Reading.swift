import Glibc
import Threads

/// Files that are read from beginning to end, wherever a person or somebody else says that they are.
extension FileDescriptor {
    /// Opens a file for reading, closed on exec. Whoever opens a pipe waits for somebody to write, and a device may have no end: neither is opened.
    /// - Parameter flags: more of those of open(2).
    /// - Throws: `SystemError.notAFile`; EISDIR for a folder.
    public static func reading(_ path: String, flags: Int32 = 0) throws(SystemError) -> FileDescriptor {
        do throws(SystemError) {
            let file = try FileDescriptor(path: path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY | flags)
            try file.checkIsFile()
            return file
        } catch {
            // So a socket answers.
            throw error.number == ENXIO ? SystemError("read \(path)", SystemError.notAFile) : error
        }
    }

    /// Refuses what is open and no file.
    /// - Throws: `SystemError.notAFile`; EISDIR for a folder.
    public func checkIsFile() throws(SystemError) {
        var facts = stat()
        guard fstat(raw, &facts) == 0 else { throw SystemError("examine \(path)", errno) }
        let kind = facts.st_mode & S_IFMT
        guard kind == S_IFREG else { throw SystemError("read \(path)", kind == S_IFDIR ? EISDIR : SystemError.notAFile) }
    }
}
