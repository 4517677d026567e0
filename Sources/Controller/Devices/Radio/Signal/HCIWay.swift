import Threads

/// Past bluetoothd, with no privilege.
struct HCIWay: SignalWay {
    func open(_ adapter: UInt16) throws(SystemError) -> any SignalPort { try HCIPort(adapter: adapter) }
}
