import Threads

/// Through the kernel's management interface.
struct ManagementWay: SignalWay {
    func open(_ adapter: UInt16) throws(SystemError) -> any SignalPort { try ManagementPort(adapter: adapter) }
}
