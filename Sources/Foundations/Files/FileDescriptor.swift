import CLinux
import Glibc
import Threads

/// An open descriptor: a file, a folder, a socket. Closed when the last of those who hold it lets go of it.
/// Every call on a file is repeated after a signal, and names the file in its error.
public final class FileDescriptor: Sendable {
    /// The number, valid as long as this object lives.
    public let raw: Int32
    let path: String

    /// Takes over a descriptor that somebody just opened.
    /// - Parameter path: what errors call it.
    public init(owning raw: Int32, path: String = "descriptor") {
        self.raw = raw
        self.path = path
    }

    /// Opens a file, closed on exec.
    /// - Parameters:
    ///   - flags: as in open(2).
    ///   - mode: of a file that is made, less what the process's mask takes away.
    public init(path: String, flags: Int32, mode: UInt32 = 0) throws(SystemError) {
        raw = retried { open(path, flags | O_CLOEXEC, mode) }
        self.path = path
        guard raw >= 0 else { throw SystemError("open \(path)", errno) }
    }

    deinit { if raw >= 0 { _ = close(raw) } }

    // The file ----------------------------------------------------------------------------------

    /// Its size in bytes.
    public func size() throws(SystemError) -> Int {
        var status = stat()
        guard fstat(raw, &status) == 0 else { throw SystemError("examine \(path)", errno) }
        return Int(status.st_size)
    }

    /// Sets the mode whatever the process's mask says.
    public func setMode(_ mode: UInt32) throws(SystemError) {
        guard fchmod(raw, mode) == 0 else { throw SystemError("set the mode of \(path)", errno) }
    }

    /// Waits until what was written is on the disk.
    public func sync() throws(SystemError) {
        guard retried({ fsync(raw) }) == 0 else { throw SystemError("sync \(path)", errno) }
    }

    /// Like `sync`, without what is not needed to read the data back.
    public func syncData() throws(SystemError) {
        guard retried({ fdatasync(raw) }) == 0 else { throw SystemError("sync \(path)", errno) }
    }

    /// Takes the file for this holder until it is closed or unlocked, without waiting. False when somebody
    /// else has it.
    public func lock() throws(SystemError) -> Bool {
        try SystemError.check(clinux_file_lock(raw), "lock \(path)") == Int32(CLINUX_LOCK_TAKEN)
    }

    /// Gives the lock back without closing.
    public func unlock() { flock(raw, LOCK_UN) }

    // Bytes -------------------------------------------------------------------------------------

    /// The next bytes, at most `count`; empty at the end of the file.
    public func read(upTo count: Int) throws(SystemError) -> [UInt8] {
        try filled(count) { room in retried { Glibc.read(raw, room.baseAddress, room.count) } }
    }

    /// The bytes from `offset`, `count` of them; fewer only at the end of the file.
    public func read(count: Int, at offset: Int) throws(SystemError) -> [UInt8] {
        try filled(count) { room in
            var filled = 0
            while filled < room.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: room[filled...])
                let got = retried { pread(raw, rest.baseAddress, rest.count, off_t(offset + filled)) }
                if got < 0 { return got }
                if got == 0 { break }
                filled += got
            }
            return filled
        }
    }

    /// Writes all of `bytes` where the last write ended.
    public func write(_ bytes: [UInt8]) throws(SystemError) {
        try write(all: bytes) { rest, _ in Glibc.write(raw, rest.baseAddress, rest.count) }
    }

    /// Writes all of `bytes` at `offset`.
    public func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
        try write(all: bytes) { rest, done in pwrite(raw, rest.baseAddress, rest.count, off_t(offset + done)) }
    }

    private func filled(_ count: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int) throws(SystemError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let got = fill(UnsafeMutableRawBufferPointer(buffer))
            if got < 0 { failure = errno }
            filled = max(got, 0)
        }
        guard failure == 0 else { throw SystemError("read \(path)", failure) }
        return bytes
    }

    private func write(all bytes: [UInt8], _ put: (UnsafeRawBufferPointer, _ done: Int) -> Int) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { all in
                retried { put(UnsafeRawBufferPointer(rebasing: all[done...]), done) }
            }
            guard count > 0 else { throw SystemError("write \(path)", count < 0 ? errno : EIO) }
            done += count
        }
    }
}

/// Makes a system call that may wait for the disk, again after a signal. Leaves its errno.
private func retried<Result: SignedInteger>(_ call: () -> Result) -> Result {
    let (result, number) = Loop.outside(.disk) {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return (result, errno) }
        }
    }
    errno = number
    return result
}

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
