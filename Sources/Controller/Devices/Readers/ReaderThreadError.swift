/// The system could not start a thread.
public struct ReaderThreadError: Error, Hashable, Sendable {
    public let name: String
    public let errno: Int32

    /// Stable, for operators to search for.
    public var code: String { "reader-thread-not-started" }
    public var message: String { "The thread \(name) could not be started (errno \(errno)). Is TasksMax too small?" }
}
