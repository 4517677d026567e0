import Files
import Glibc
import Threads

/// A database and its log, copied to where nobody else looks. SQLite folds a log into its database and removes it, and whoever was handed
/// a copy as evidence must hand the same bytes on.
struct PrivateCopy {
    /// The copied database.
    let path: String
    private let folder: String
    private static let suffixes = ["", "-wal"]
    private static let piece = 1 << 18

    /// Copies a database and the log beside it into a folder of its own, below `TMPDIR` or else /var/tmp.
    /// - Throws: `database-busy` if somebody writes to them meanwhile; what the disk says.
    init(of database: String) throws(StorageError) {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp"
        var template = Array("\(base)/tapstile-journal-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw StorageError(errno: errno, doing: "make a folder in \(base)") }
        folder = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        path = "\(folder)/journal.db"
        do throws(StorageError) {
            let before = try Self.states(of: database)
            for suffix in Self.suffixes { try Self.copy(database + suffix, to: path + suffix, in: folder) }
            guard try Self.states(of: database) == before else {
                throw StorageError(.busy, "\(database) is being written: stop the gate, or let SQLite make the copy (sqlite3 journal.db \".backup copy.db\").")
            }
        } catch {
            remove()
            throw error
        }
    }

    /// Removes the copy; whoever has it open keeps it.
    func remove() {
        for suffix in Self.suffixes + ["-shm"] { unlink(path + suffix) }
        rmdir(folder)
    }

    /// What changes when somebody writes.
    private static func states(of database: String) throws(StorageError) -> [[Int]] {
        var states: [[Int]] = []
        for suffix in suffixes {
            var status = stat()
            guard stat(database + suffix, &status) == 0 else { throw StorageError(errno: errno, doing: "examine \(database + suffix)") }
            states.append([Int(truncatingIfNeeded: status.st_ino), Int(status.st_size), Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec)])
        }
        return states
    }

    private static func copy(_ path: String, to copy: String, in folder: String) throws(StorageError) {
        let source = try StorageFolder.openWithoutHoles(path)
        let size = try withStorageErrors { () throws(SystemError) in try source.size() }
        // Whoever checks is not to find their disk full.
        if let free = StagingFolder.freeBytes(folder), free < Int64(size) {
            throw StorageError(.diskFull, "A private copy of \(path) takes \(size) bytes, and \(folder) has room for \(free): name a larger disk with TMPDIR.")
        }
        try withStorageErrors { () throws(SystemError) in
            var left = size
            let target = try FileDescriptor(path: copy, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            while left > 0, case let bytes = try source.read(upTo: min(left, piece)), !bytes.isEmpty {
                try target.write(bytes)
                left -= bytes.count
            }
        }
    }
}
