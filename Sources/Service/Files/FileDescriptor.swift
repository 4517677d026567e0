import Glibc
import Threads

/// An open descriptor with exactly one owner; closed when the owner lets go of it.
package struct FileDescriptor: ~Copyable {
    package let raw: Int32

    /// Takes over a descriptor that somebody just opened.
    package init(owning raw: Int32) { self.raw = raw }

    /// Opens a file, closed on exec.
    package init(path: String, flags: Int32, mode: mode_t = 0) throws(SystemError) {
        let opened = open(path, flags | O_CLOEXEC, mode)
        guard opened >= 0 else { throw SystemError("open \(path)", errno) }
        raw = opened
    }

    deinit { _ = close(raw) }

    /// Writes all of it.
    package func write(_ bytes: [UInt8], path: String) throws(SystemError) {
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

    /// The next bytes, at most `count`; empty at the end of the file.
    package func read(upTo count: Int, path: String) throws(SystemError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            var got = -1
            repeat { got = Glibc.read(raw, buffer.baseAddress, buffer.count) } while got < 0 && errno == EINTR
            if got < 0 { failure = errno }
            filled = max(got, 0)
        }
        guard failure == 0 else { throw SystemError("read \(path)", failure) }
        return bytes
    }

    /// Waits until the data is on the disk.
    package func synchronise(path: String) throws(SystemError) {
        guard fsync(raw) == 0 else { throw SystemError("fsync \(path)", errno) }
    }
}
