import Files
import Glibc

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
