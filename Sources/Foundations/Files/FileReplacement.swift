import CLinux
import Glibc
import Threads

/// A file on its way to its name. Until it is whole and on the disk it has none (O_TMPFILE), or on a file system that knows no such files one
/// that was drawn at random and was nobody's: in a folder that others may write to, no link of theirs leads what we write elsewhere, and no file
/// of theirs becomes ours. Gone unless it was finished.
public final class FileReplacement {
    private let path: String
    private let name: String
    private let mode: UInt32
    private let folder: FileDescriptor
    private let file: FileDescriptor
    /// The name that it has meanwhile; nil while it has none.
    private var temporary: String?

    /// Begins a file.
    /// - Parameters:
    ///   - path: what becomes of it.
    ///   - mode: less what the process's mask takes away. One that leaves out group and others is a promise: where the file system keeps
    ///     none, or gives the file to somebody else, nothing is written (EOPNOTSUPP).
    public convenience init(of path: String, mode: UInt32) throws(SystemError) { try self.init(of: path, mode: mode, mayBeUnnamed: true) }

    /// Begins a file in a folder that is open: it gets there, whatever the folder's path leads to by then.
    public init(in folder: FileDescriptor, _ name: String, mode: UInt32) throws(SystemError) {
        let path = "\(folder.path)/\(name)"
        (self.path, self.name, self.mode, self.folder) = (path, name, mode, folder)
        (file, temporary) = try Self.begin(in: folder, path, mode: mode, mayBeUnnamed: true)
        try checkPrivate()
    }

    init(of path: String, mode: UInt32, mayBeUnnamed: Bool) throws(SystemError) {
        (self.path, self.mode) = (path, mode)
        let parts = Self.parts(of: path)
        name = parts.name
        do throws(SystemError) {
            folder = try FileDescriptor(path: parts.folder, flags: O_RDONLY | O_DIRECTORY)
        } catch {
            throw SystemError("write \(path)", error.number)
        }
        (file, temporary) = try Self.begin(in: folder, path, mode: mode, mayBeUnnamed: mayBeUnnamed)
        try checkPrivate()
    }

    deinit { if let temporary { unlinkat(folder.raw, temporary, 0) } }

    /// A file that never gets a name, for what shall be gone with the process: for its owner alone.
    /// - Parameter path: in whose folder it lies, and what errors call it.
    public static func withoutName(beside path: String) throws(SystemError) -> FileDescriptor {
        let folder = try FileDescriptor(path: parts(of: path).folder, flags: O_RDONLY | O_DIRECTORY)
        let (file, temporary) = try begin(in: folder, path, mode: 0o600, mayBeUnnamed: true)
        if let temporary, unlinkat(folder.raw, temporary, 0) != 0 { throw SystemError("remove \(temporary)", errno) }
        return file
    }

    /// Writes what comes next.
    public func write(_ bytes: [UInt8]) throws(SystemError) { try file.write(bytes) }

    /// Puts the file into its place.
    /// - Parameters:
    ///   - other: another name in the same folder, where its contents decide it.
    ///   - replacing: takes the place of what has the name; else there must be nothing (EEXIST).
    ///   - isDurable: when this returns, after a power cut there is either the old or the new file.
    public func finish(as other: String? = nil, replacing: Bool = true, isDurable: Bool = true) throws(SystemError) {
        let wanted = other ?? name
        if isDurable { try file.sync() }
        if let temporary, !replacing {
            try check { clinux_rename_new(folder.raw, temporary, wanted) }
        } else if !replacing {
            try check { clinux_link_unnamed(file.raw, folder.raw, wanted) }
        } else {
            let fresh = try named()
            try check { renameat(folder.raw, fresh, folder.raw, wanted) == 0 ? 0 : -errno }
        }
        temporary = nil
        if isDurable { try folder.sync() }
    }

    /// The random name; nothing takes the place of another file without having one.
    private func named() throws(SystemError) -> String {
        if let temporary { return temporary }
        let fresh = Self.randomName()
        try check { clinux_link_unnamed(file.raw, folder.raw, fresh) }
        temporary = fresh
        return fresh
    }

    private func check(_ call: () -> Int32) throws(SystemError) { _ = try SystemError.check(Loop.outside(.disk) { call() }, "write \(path)") }

    private func checkPrivate() throws(SystemError) {
        guard mode & 0o077 == 0 else { return }
        var facts = stat()
        guard fstat(file.raw, &facts) == 0 else { throw SystemError("examine \(path)", errno) }
        guard facts.st_uid == geteuid(), facts.st_mode & 0o077 == 0 else { throw SystemError("keep \(path) from other users", EOPNOTSUPP) }
    }

    private static func begin(in folder: FileDescriptor, _ path: String, mode: UInt32, mayBeUnnamed: Bool)
        throws(SystemError) -> (FileDescriptor, temporary: String?) {
        let unnamed = mayBeUnnamed ? Loop.outside(.disk) { clinux_open_unnamed(folder.raw, mode) } : -EOPNOTSUPP
        // What file systems and kernels say that know no such files.
        guard [-EOPNOTSUPP, -EISDIR, -EINVAL].contains(unnamed) else {
            return (FileDescriptor(owning: try SystemError.check(unnamed, "write \(path)"), path: path), nil)
        }
        let name = randomName()
        let raw = Loop.outside(.disk) {
            let raw = openat(folder.raw, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
            return raw >= 0 ? raw : -errno
        }
        return (FileDescriptor(owning: try SystemError.check(raw, "write \(path)"), path: path), name)
    }

    private static func randomName() -> String { ".\(String(UInt64.random(in: .min ... .max), radix: 16)).new" }

    private static func parts(of path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        return (String(path[...slash]), String(path[path.index(after: slash)...]))
    }
}
