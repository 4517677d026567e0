import Files
import Glibc
import Threads

/// The folder that holds a database and the files beside it.
struct StorageFolder: Sendable {
    /// Its path as the caller gave it.
    let path: String

    /// Who may read and write our files: the gate's own user, and its group may read.
    private static let mode: UInt32 = 0o640

    /// Opens a file of ours, or the folder itself.
    static func open(_ path: String, flags: Int32) throws(StorageError) -> FileDescriptor {
        try withStorageErrors { () throws(SystemError) in try FileDescriptor(path: path, flags: flags) }
    }

    /// Opens a file from somebody else for reading. What is no file is not waited for.
    static func openFile(_ path: String) throws(StorageError) -> FileDescriptor {
        // Without the flag a pipe is waited for until somebody writes to it.
        let file = try open(path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY)
        var status = stat()
        guard fstat(file.raw, &status) == 0 else { throw StorageError(errno: errno, doing: "examine \(path)") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw StorageError(.corrupt, "\(path) is no file.") }
        return file
    }

    /// Opens a file of ours for reading and writing; makes it if it is not there. It has our mode then.
    static func make(_ path: String, flags: Int32 = 0) throws(StorageError) -> FileDescriptor {
        try withStorageErrors { () throws(SystemError) in
            let file = try FileDescriptor(path: path, flags: O_RDWR | O_CREAT | flags, mode: mode)
            try file.setMode(mode)
            return file
        }
    }

    /// The path of a file in it.
    func path(of name: String) -> String { "\(path)/\(name)" }

    /// Whether there is a file of that name.
    func has(_ name: String) -> Bool { Loop.outside(.disk) { access(path(of: name), F_OK) == 0 } }

    /// The header of the database `name`, nil if the file is empty.
    /// - Throws: `database-corrupt` if the file is no database or shorter than its header says.
    func header(of name: String, logged: Bool) throws(StorageError) -> DatabaseHeader? {
        let file = try Self.open(path(of: name), flags: O_RDONLY)
        let size = try withStorageErrors { () throws(SystemError) in try file.size() }
        guard size > 0 else { return nil }
        guard let header = DatabaseHeader(
            try withStorageErrors { () throws(SystemError) in try file.read(count: DatabaseHeader.length, at: 0) })
        else {
            throw StorageError(.corrupt, "\(path(of: name)) is no database.")
        }
        // Pages that are only in a write-ahead log are not in the file yet, so the file may be shorter
        // than its newest header says but the header we see here is the file's own.
        guard logged || size == header.pageSize * header.pageCount else {
            throw StorageError(.corrupt, "\(path(of: name)) has \(size) bytes, its header says \(header.pageCount) pages.")
        }
        return header
    }

    /// Makes an empty file with our mode; SQLite gives the same mode to the log beside it.
    func create(_ name: String) throws(StorageError) {
        _ = try Self.make(path(of: name), flags: O_EXCL)
        try sync()
    }

    /// Makes a copy of a file, with our mode. It is not waited for.
    func copy(_ name: String, to other: String) throws(StorageError) {
        let source = try Self.open(path(of: name), flags: O_RDONLY)
        let copy = try Self.make(path(of: other), flags: O_EXCL)
        try withStorageErrors { () throws(SystemError) in
            while case let piece = try source.read(upTo: Self.copied), !piece.isEmpty { try copy.write(piece) }
        }
    }

    /// So many bytes are copied at once.
    private static let copied = 1 << 18

    /// Removes a file of ours that holds nothing worth keeping. Absence is fine.
    func remove(_ name: String) throws(StorageError) {
        let failure = Loop.outside(.disk) { unlink(path(of: name)) == 0 ? 0 : errno }
        guard failure == 0 || failure == ENOENT else {
            throw StorageError(errno: failure, doing: "remove \(path(of: name))")
        }
    }

    /// Gives a file another name, replacing what has that name.
    func rename(_ name: String, to other: String) throws(StorageError) {
        let failure = Loop.outside(.disk) { Glibc.rename(path(of: name), path(of: other)) == 0 ? 0 : errno }
        guard failure == 0 else { throw StorageError(errno: failure, doing: "rename \(path(of: name))") }
    }

    /// Renames a database with its log out of the way, so that nothing in it is lost and it can still
    /// be opened under its new name. Answers that name.
    func setAside(_ name: String, because word: String) throws(StorageError) -> String {
        var number = 1
        while has("\(name).\(word)-\(number)") { number += 1 }
        let aside = "\(name).\(word)-\(number)"
        // The log first: a database that has lost its log would open as an older state of itself.
        for suffix in ["-wal", "-shm", "-journal"] where has(name + suffix) {
            try rename(name + suffix, to: aside + suffix)
        }
        try rename(name, to: aside)
        // Should the power undo it, the damage is found once more.
        try? sync()
        return aside
    }

    /// Waits until the folder's entries are on the disk.
    func sync() throws(StorageError) {
        let folder = try Self.open(path, flags: O_RDONLY | O_DIRECTORY)
        try withStorageErrors { () throws(SystemError) in try folder.sync() }
    }
}

extension StorageFolder {
    /// Below this many bytes holes cost nobody anything.
    private static let harmless = 1 << 26
    /// A file system that compresses makes a journal smaller, but hashes by far not that much.
    private static let mostTimesSmaller = 16

    /// Opens a file that came from somebody else, for reading. One that is little but holes takes its author a command, and whoever reads
    /// it to the end hours and a full disk.
    /// - Throws: `database-corrupt` if it is no file, or next to nothing of it is on the disk.
    static func openWithoutHoles(_ path: String) throws(StorageError) -> FileDescriptor {
        let file = try openFile(path)
        var status = stat()
        guard fstat(file.raw, &status) == 0 else { throw StorageError(errno: errno, doing: "examine \(path)") }
        let size = Int(status.st_size), kept = Int(status.st_blocks) * 512
        guard size <= harmless || kept >= size / mostTimesSmaller else {
            throw StorageError(.corrupt, "\(path) claims \(size) bytes and has \(kept) on the disk: it is little but holes, and no journal that a gate wrote.")
        }
        return file
    }
}

/// What the first 100 bytes of a database file say (https://www.sqlite.org/fileformat2.html, 1.3).
/// Reading them costs one system call whatever the size of the file, and touches nothing.
struct DatabaseHeader: Equatable {
    static let length = 100
    private static let magic = Array("SQLite format 3\0".utf8)

    /// In bytes, a power of two from 512 to 65536.
    let pageSize: Int
    /// The size of the database in pages, as of the last change.
    let pageCount: Int
    /// PRAGMA user_version.
    let userVersion: Int32
    /// PRAGMA application_id.
    let applicationIdentifier: Int32

    /// Nil if the bytes are no database header.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.length, Array(bytes[0..<16]) == Self.magic else { return nil }
        func number(_ offset: Int, _ width: Int) -> UInt32 {
            bytes[offset..<(offset + width)].reduce(0) { $0 << 8 | UInt32($1) }
        }
        let size = number(16, 2)
        pageSize = size == 1 ? 65536 : Int(size)
        guard pageSize >= 512, pageSize & (pageSize - 1) == 0 else { return nil }
        pageCount = Int(number(28, 4))
        userVersion = Int32(bitPattern: number(60, 4))
        applicationIdentifier = Int32(bitPattern: number(68, 4))
    }
}
