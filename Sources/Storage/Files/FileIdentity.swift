import Glibc

/// Which file a name stands for, whatever the name.
struct FileIdentity: Equatable, Sendable {
    let device: UInt64
    let inode: UInt64
}

extension StorageFolder {
    /// The file that has that name now.
    func identity(of name: String) throws(StorageError) -> FileIdentity {
        var status = stat()
        guard stat(path(of: name), &status) == 0 else {
            throw StorageError(errno: errno, doing: "examine \(path(of: name))")
        }
        return FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }
}
