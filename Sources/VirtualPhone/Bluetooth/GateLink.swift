import Threads

/// One connection of a phone to a gate: does what a procedure says, one after the other, and waits for each.
public struct GateLink: ~Copyable {
    private let link: any ATTLink
    private var client: ATTClient

    /// - Parameter mtu: what the phone says it can take.
    public init(_ link: any ATTLink, mtu: Int = ATTLimits.greatestMTU) {
        self.link = link
        client = ATTClient(wantedMTU: mtu)
    }

    /// The longest PDU that both sides can take.
    public var mtu: Int { client.mtu }
    /// Requests so far.
    public var requests: Int { client.requests }

    /// Does it to its end.
    /// - Parameter deadline: monotonic nanoseconds.
    public mutating func perform(_ procedure: ATTProcedure, until deadline: Int64) throws(BluetoothError) -> ATTEnd {
        var action = client.start(procedure)
        while true {
            switch action {
            case .send(let pdu): try link.send(pdu)
            case .listen: break
            case .finish(.failed(let failure)): throw .attribute(failure)
            case .finish(let end): return end
            }
            action = client.receive(try link.receive(until: min(deadline, Self.transactionEnd)))
        }
    }

    /// Sends what a procedure begins with and does not wait for what comes of it; the link is of no use afterwards.
    public mutating func begin(_ procedure: ATTProcedure) throws(BluetoothError) {
        guard case .send(let pdu) = client.start(procedure) else { return }
        try link.send(pdu)
    }

    /// Sends any bytes; whatever the gate says to them is not waited for.
    public func send(_ pdu: [UInt8]) throws(BluetoothError) {
        try link.send(pdu)
    }

    /// The next thing that the gate says, whatever it is.
    public func receive(until deadline: Int64) throws(BluetoothError) -> [UInt8] {
        try link.receive(until: deadline)
    }

    /// Lets the gate go.
    public func close() {
        link.close()
    }

    private static var transactionEnd: Int64 {
        MonotonicTime.nanoseconds + Int64(ATTLimits.transactionMilliseconds) * 1_000_000
    }
}
