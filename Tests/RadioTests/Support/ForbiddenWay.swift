import Threads

@testable import Radio

/// A way that the kernel does not open.
struct ForbiddenWay: SignalWay {
    /// The errno.
    let number: Int32

    func open(_ adapter: UInt16) throws(SystemError) -> any SignalPort { throw SystemError("open a Bluetooth socket", number) }
}
