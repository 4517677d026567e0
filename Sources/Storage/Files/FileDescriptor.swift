import Glibc

/// An open file that closes itself. Every call is repeated after a signal and throws with errno.
final class FileDescriptor: Sendable {
    /// Who may read and write our files: the gate's own user, and its group may read.
    static let mode: mode_t = 0o640

    let number: Int32
    private let path: String

    /// Opens `path`; `flags` as in open(2), closed on exec.
    init(path: String, flags: Int32, create: Bool = false) throws(StorageError) {
        self.path = path
        number = retried { open(path, flags | O_CLOEXEC | (create ? O_CREAT : 0), Self.mode) }
        guard number >= 0 else { throw StorageError(errno: errno, doing: "open \(path)") }
    }

    deinit { close(number) }

    /// The size in bytes.
    func size() throws(StorageError) -> Int {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw StorageError(errno: errno, doing: "examine \(path)") }
        return Int(status.st_size)
    }

    /// Sets the mode whatever the process's mask says.
    func setMode() throws(StorageError) {
        guard fchmod(number, Self.mode) == 0 else { throw StorageError(errno: errno, doing: "set the mode of \(path)") }
    }

    /// Up to `count` bytes from `offset`; fewer only at the end of the file.
    func read(count: Int, at offset: Int) throws(StorageError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let target = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
                let got = retried { pread(number, target.baseAddress, target.count, off_t(offset + filled)) }
                if got < 0 { failure = errno }
                if got <= 0 { break }
                filled += got
            }
        }
        guard failure == 0 else { throw StorageError(errno: failure, doing: "read \(path)") }
        return bytes
    }

    /// Writes all of `bytes` at `offset`.
    func write(_ bytes: [UInt8], at offset: Int) throws(StorageError) {
        var done = 0
        while done < bytes.count {
            let put = bytes.withUnsafeBytes { all in
                let rest = UnsafeRawBufferPointer(rebasing: all[done...])
                return retried { pwrite(number, rest.baseAddress, rest.count, off_t(offset + done)) }
            }
            guard put > 0 else { throw StorageError(errno: put < 0 ? errno : EIO, doing: "write \(path)") }
            done += put
        }
    }

    /// Waits until what was written is on the disk.
    func sync() throws(StorageError) {
        guard retried({ fsync(number) }) == 0 else { throw StorageError(errno: errno, doing: "sync \(path)") }
    }

    /// Like `sync`, without what is not needed to read the data back.
    func syncData() throws(StorageError) {
        guard retried({ fdatasync(number) }) == 0 else { throw StorageError(errno: errno, doing: "sync \(path)") }
    }
}

/// Repeats a system call that a signal interrupted.
private func retried<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}
