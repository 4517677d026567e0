import Files
import Glibc
import Threads

/// The right to be the one daemon on a state folder. Held until it is let go of or the process ends,
/// however it ends.
public final class InstanceLock: Sendable {
    private let file: FileDescriptor

    /// Takes the lock and writes this process's number into it.
    /// - Parameter directory: the state folder; it must exist.
    public init(directory: String) throws(InstanceLockError) {
        let path = "\(directory)/tapstiled.lock"
        let isOurs: Bool
        do throws(SystemError) {
            file = try FileDescriptor(path: path, flags: O_RDWR | O_CREAT, mode: 0o640)
            isOurs = try file.lock()
        } catch {
            throw .unusable(error)
        }
        guard isOurs else {
            throw .alreadyRunning(process: Self.process(in: path), directory: directory)
        }
        // The number is for people; the lock holds without it, so a full disk is no reason to stay closed.
        _ = ftruncate(file.raw, 0)
        try? file.write(Array("\(getpid())\n".utf8), at: 0)
    }

    private static func process(in path: String) -> Int32? {
        guard let bytes = try? SmallFile.read(path, limit: 64) else { return nil }
        return Int32(String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self))
    }
}

/// Why this process may not serve a state folder.
public enum InstanceLockError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another daemon does.
    case alreadyRunning(process: Int32?, directory: String)
    /// The lock file cannot be used.
    case unusable(SystemError)

    /// Stable code for operators.
    public var code: String {
        switch self {
        case .alreadyRunning: "already-running"
        case .unusable: "state-folder-unusable"
        }
    }

    /// A sentence for people.
    public var message: String {
        switch self {
        case .alreadyRunning(let process, let directory):
            "Another tapstiled\(process.map { " (process \($0))" } ?? "") already serves \(directory); this one ends."
        case .unusable(let error):
            "The state folder cannot be used: \(error.message) It must belong to the user tapstile (`ls -ld`), on a disk that "
                + "takes writing (`mount`, `dmesg`)."
        }
    }

    public var description: String { message }
}
