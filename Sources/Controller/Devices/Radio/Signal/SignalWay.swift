import Threads

/// A way to ask adapters for the strength of links.
protocol SignalWay: Sendable {
    /// - Parameter adapter: the kernel's number.
    func open(_ adapter: UInt16) throws(SystemError) -> any SignalPort
}
