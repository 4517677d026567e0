import ControlProtocol
import Files
import Glibc
import RepositoryFolder
import Threads

/// A folder that is asked for files as if it were far away, by a thread of its own.
final class FolderSource: FetchSource {
    let connection: FetchConnection
    private let ours: FileDescriptor
    private let worker: Worker

    init(path: String, setup: FetchSetup) throws {
        let pair = try SocketPair()
        let (ours, theirs) = (pair.ours, pair.theirs)
        _ = fcntl(ours.raw, F_SETFL, fcntl(ours.raw, F_GETFL) | O_NONBLOCK)
        // Opened here, so that a folder that is not there is told of at once.
        let folder = try FileDescriptor(path: path, flags: O_RDONLY | O_DIRECTORY)
        worker = try Worker(name: "folder") { FolderService(folder: folder, connection: theirs).run() }
        self.ours = ours
        connection = try FetchConnection(orders: ours, reports: ours, setup: setup)
    }

    deinit {
        shutdown(ours.raw, Int32(SHUT_RDWR))
        // It may hang at a disk: the end of the program does not wait for it.
    }
}
