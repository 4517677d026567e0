import Threads

/// A way to ask for the signal strength of live links. For one thread.
protocol SignalPort: AnyObject {
    /// Readable when an answer may have come.
    var descriptor: Int32 { get }

    /// Asks once; the answer comes later.
    /// - Throws: when nothing can be asked: the link may have ended.
    func ask(_ address: DeviceAddress) throws(SystemError)

    /// The answers that have come. The strength is nil where the adapter does not know it.
    /// - Throws: when there will be none any more: the adapter has gone, or does not let us ask.
    func take() throws(SystemError) -> [SignalAnswer]
}
