import CLinux
import Glibc

/// An open descriptor with exactly one owner; closed when the owner lets go of it.
struct FileDescriptor: ~Copyable {
    let raw: Int32

    /// Takes over a descriptor that somebody just opened.
    init(owning raw: Int32) { self.raw = raw }

    /// Opens a file, closed on exec.
    init(path: String, flags: Int32, mode: mode_t = 0) throws(SystemError) {
        let opened = open(path, flags | O_CLOEXEC, mode)
        guard opened >= 0 else { throw SystemError("open \(path)", errno) }
        raw = opened
    }

    deinit { _ = close(raw) }

    /// Writes all of it.
    func write(_ bytes: [UInt8], path: String) throws(SystemError) {
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.write(raw, $0.baseAddress?.advanced(by: offset), $0.count - offset) }
            if count >= 0 {
                offset += count
            } else if errno != EINTR {
                throw SystemError("write \(path)", errno)
            }
        }
    }

    /// Waits until the data is on the disk.
    func synchronise(path: String) throws(SystemError) {
        guard fsync(raw) == 0 else { throw SystemError("fsync \(path)", errno) }
    }
}
