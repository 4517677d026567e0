import Threads

/// Moves the log's pages into the database on a thread of its own, so that the writer never waits for
/// it. A failure here loses nothing: the log keeps the pages, and the next request tries again.
final class LogMover: Sendable {
    /// Bytes in the log from which moving them is worth it.
    static let threshold = 4 << 20

    private struct Request {
        var isWanted = false
        var isOver = false
    }

    private let requested = Monitor(Request())
    private let thread: Worker

    init(folder: StorageFolder, lockWait: Int32, fileSystem: String?, loops: Loops) throws(StorageError) {
        let requested = requested
        thread = try Worker(storage: "journal-log", loops: loops) { loop in
            while Self.next(requested, loop) {
                // A connection of its own for each time: none is left open when the file is set aside.
                let connection = try? JournalFile.connect(folder, lockWait: lockWait, fileSystem: fileSystem)
                if let connection { try? JournalFile.checkpoint(connection, truncate: false) }
            }
        }
    }

    private static func next(_ requested: Monitor<Request>, _ loop: Loop) -> Bool {
        requested.wait(loop) { requested -> Bool? in
            if requested.isOver { return false }
            guard requested.isWanted else { return nil }
            requested.isWanted = false
            return true
        }
    }

    /// Asks for a checkpoint; returns at once.
    func request() { requested.change { $0.isWanted = true } }

    /// Ends the thread and waits for it.
    func stop() {
        requested.change { $0.isOver = true }
        thread.join()
    }
}
