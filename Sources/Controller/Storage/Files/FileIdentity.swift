import Glibc
import Threads

/// Which file a name stands for, whatever the name.
struct FileIdentity: Equatable, Sendable {
    let device: UInt64
    let inode: UInt64
}

extension StorageFolder {
    /// The file that has that name now.
    func identity(of name: String) throws(StorageError) -> FileIdentity {
        let path = path(of: name)
        var status = stat()
        let failure = Loop.outside(.disk) { stat(path, &status) == 0 ? 0 : errno }
        guard failure == 0 else { throw StorageError(errno: failure, doing: "examine \(path)") }
        return FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }
}
