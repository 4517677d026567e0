import Glibc
import Threads

/// What lies in a folder that is open: it is that folder's, whatever the folder's path leads to by now.
extension FileDescriptor {
    /// Opens a file or a folder of that name, closed on exec.
    /// - Parameters:
    ///   - flags: as in open(2).
    ///   - mode: of a file that is made, less what the process's mask takes away.
    public convenience init(in folder: FileDescriptor, _ name: String, flags: Int32, mode: UInt32 = 0) throws(SystemError) {
        let path = "\(folder.path)/\(name)"
        let raw = Loop.outside(.disk) {
            while true {
                let raw = openat(folder.raw, name, flags | O_CLOEXEC, mode)
                if raw >= 0 { return raw }
                if errno != EINTR { return -errno }
            }
        }
        self.init(owning: try SystemError.check(raw, "open \(path)"), path: path)
    }

    /// The names in it, sorted.
    /// - Parameter withHidden: those too that begin with a dot, but `.` and `..`.
    public func names(withHidden: Bool = false) throws(SystemError) -> [String] {
        // Reading moves a descriptor: one of its own.
        let copy = openat(raw, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        guard copy >= 0 else { throw SystemError("read the folder \(path)", errno) }
        guard let open = fdopendir(copy) else {
            close(copy)
            throw SystemError("read the folder \(path)", errno)
        }
        defer { closedir(open) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(open) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { raw in
                raw.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if withHidden ? name != "." && name != ".." : !name.hasPrefix(".") { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw SystemError("read the folder \(path)", errno) }
        return names.sorted()
    }
}
