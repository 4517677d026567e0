import Threads

/// The strength of a link at a moment.
struct SignalAnswer: Hashable, Sendable {
    enum Strength: Hashable, Sendable {
        case known(Int8)
        /// There is no such link any more.
        case linkEnded
        case missing(StrengthFault)
    }

    /// What the adapter answers when it does not know (Core Specification 5.3, vol. 4, part E, 7.5.4).
    static let unknown: Int8 = 127
    /// The adapter knows no such connection (Core Specification 5.3, vol. 1, part F, 1.3), or the kernel does not (doc/mgmt-api.txt of
    /// BlueZ): both say it with the same number.
    static let notConnected: UInt8 = 0x02

    let address: DeviceAddress
    let strength: Strength

    /// - Parameters:
    ///   - reported: nil where the answer is an error.
    ///   - status: that error.
    init(address: DeviceAddress, reported: Int8?, status: UInt8 = 0) {
        self.address = address
        strength = switch reported {
        case nil: status == Self.notConnected ? .linkEnded : .missing(.refused(status))
        case Self.unknown: .missing(.unknown)
        case .some(let dBm): .known(dBm)
        }
    }
}

/// A way to ask for the signal strength of live links. For one thread.
protocol SignalPort: AnyObject {
    /// Readable when an answer may have come.
    var descriptor: Int32 { get }

    /// Asks once; the answer comes later.
    /// - Throws: when nothing can be asked: the link may have ended.
    func ask(_ address: DeviceAddress) throws(SystemError)

    /// The answers that have come. The strength is nil where the adapter does not know it.
    /// - Throws: when there will be none any more: the adapter has gone, or does not let us ask.
    func receive() throws(SystemError) -> [SignalAnswer]
}

/// A way to ask adapters for the strength of links.
protocol SignalWay: Sendable {
    /// - Parameter adapter: the kernel's number.
    func open(_ adapter: UInt16) throws(SystemError) -> any SignalPort
}
