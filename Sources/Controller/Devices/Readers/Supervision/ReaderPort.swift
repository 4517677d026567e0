/// The USB port that a reader hangs on.
public protocol ReaderPort: Sendable {
    /// Shuts the port and opens it, so that the kernel finds the device anew. On the reader's own thread.
    func reauthorise() throws(LinkFault)
}
