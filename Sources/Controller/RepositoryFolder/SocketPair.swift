import Files
import Glibc
import Threads

/// A connection with both of its ends here. They wait.
public struct SocketPair {
    /// The end of whoever asks.
    public let ours: FileDescriptor
    /// The end of whoever answers.
    public let theirs: FileDescriptor

    /// - Throws: what the system says where there are no more descriptors.
    public init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw SystemError("connect to the folder", errno)
        }
        (ours, theirs) = (FileDescriptor(owning: ends[0]), FileDescriptor(owning: ends[1]))
    }
}
