import Files
import Threads

/// Has the disk keep up with a large file while SQLite works on it, and keeps the disk's error, which is told once.
final class DiskPace {
    private let file: FileDescriptor
    private var failure: SystemError?

    init(_ file: FileDescriptor) { self.file = file }

    /// False when the disk has failed.
    func keepsUp() -> Bool {
        do throws(SystemError) { try file.syncData() } catch { failure = error }
        return failure == nil
    }

    /// - Throws: what the disk said.
    func check() throws(SystemError) { if let failure { throw failure } }
}
