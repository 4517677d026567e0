import CLinux
import Glibc
import Threads

/// The right to be the one daemon on a state folder. Held until it is let go of or the process ends,
/// however it ends.
public final class InstanceLock: Sendable {
    private let descriptor: SharedDescriptor

    /// Takes the lock and writes this process's number into it.
    /// - Parameter directory: the state folder; it must exist.
    public init(directory: String) throws(InstanceLockError) {
        let path = "\(directory)/tapstiled.lock"
        do throws(SystemError) {
            let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o640)
            descriptor = SharedDescriptor(try SystemError.check(opened < 0 ? -errno : opened, "open \(path)"))
        } catch {
            throw .unusable(error)
        }
        let answer = clinux_file_lock(descriptor.raw)
        guard answer >= 0 else { throw .unusable(SystemError("lock \(path)", answer)) }
        guard answer == Int32(CLINUX_LOCK_TAKEN) else {
            throw .alreadyRunning(process: Self.process(in: path), directory: directory)
        }
        // The number is for people; the lock holds without it, so a full disk is no reason to stay closed.
        let line = Array("\(getpid())\n".utf8)
        _ = ftruncate(descriptor.raw, 0)
        _ = pwrite(descriptor.raw, line, line.count, 0)
    }

    private static func process(in path: String) -> Int32? {
        guard let bytes = try? SmallFile.read(path, limit: 64) else { return nil }
        return Int32(String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self))
    }
}
