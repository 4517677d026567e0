import Threads

extension Worker {
    /// Presentations run on these threads: libcrypto and SQLite need some room.
    private static let readerStackBytes = 1 << 20

    /// A thread that may be blocked in a driver for longer than we want to wait for it: who stops it asks
    /// `ends(byMonotonicMilliseconds:)` and otherwise leaves it behind.
    convenience init(reader name: String, body: @escaping @Sendable () -> Void) throws(ReaderThreadError) {
        do {
            try self.init(name: name, stackBytes: Self.readerStackBytes, body: body)
        } catch {
            throw ReaderThreadError(name: name, errno: error.number)
        }
    }

    /// The same for a thread that goes round as long as the gate serves.
    convenience init(reader name: String, loops: Loops, body: @escaping @Sendable (Loop) -> Void) throws(ReaderThreadError) {
        do {
            try self.init(name: name, stackBytes: Self.readerStackBytes, loops: loops, body: body)
        } catch {
            throw ReaderThreadError(name: name, errno: error.number)
        }
    }
}

/// The system could not start a thread.
public struct ReaderThreadError: Error, Hashable, Sendable {
    public let name: String
    public let errno: Int32

    /// Stable, for operators to search for.
    public var code: String { "reader-thread-not-started" }
    public var message: String { "The thread \(name) could not be started (errno \(errno)). Is TasksMax too small?" }
}
