import Threads

/// One connection of a phone to a gate: does what a procedure says, one after the other, and waits for each.
public struct GateLink: ~Copyable {
    private let link: any ATTLink
    private var client: ATTClient
    /// Bytes of all PDUs so far, in both directions.
    public private(set) var byteCount = 0

    /// - Parameter mtu: what the phone says it can take.
    public init(_ link: any ATTLink, mtu: Int = ATTLimits.greatestMTU) {
        self.link = link
        client = ATTClient(wantedMTU: mtu)
    }

    /// The longest PDU that both sides can take.
    public var mtu: Int { client.mtu }
    /// Requests so far, without those of `sendUnheard`.
    public var requests: Int { client.requests }

    /// Does it to its end.
    /// - Parameter deadline: monotonic nanoseconds.
    public mutating func perform(_ procedure: ATTProcedure, until deadline: Int64) throws(BluetoothError) -> ATTEnd {
        var action = client.start(procedure)
        let transactionEnd = MonotonicTime.nanoseconds + Int64(ATTLimits.transactionMilliseconds) * 1_000_000
        while true {
            switch action {
            case .send(let pdu): try send(pdu)
            case .listen: break
            case .finish(.failed(let failure)): throw .attribute(failure)
            case .finish(let end): return end
            }
            action = client.receive(try receive(until: min(deadline, transactionEnd)))
        }
    }

    /// Sends what a procedure begins with and does not wait for what comes of it: only to let the gate go then.
    public mutating func begin(_ procedure: ATTProcedure) throws(BluetoothError) {
        guard case .send(let pdu) = client.start(procedure) else { return }
        try send(pdu)
    }

    /// Asks nothing until the time has come, and answers what the gate asks.
    /// - Parameter deadline: monotonic nanoseconds.
    public mutating func rest(until deadline: Int64) throws(BluetoothError) {
        while true {
            let pdu: [UInt8]
            do throws(BluetoothError) {
                pdu = try receive(until: deadline)
            } catch {
                guard error == .silent else { throw error }
                return
            }
            switch client.receive(pdu) {
            case .send(let answer): try send(answer)
            case .listen: break
            case .finish(.failed(let failure)): throw .attribute(failure)
            case .finish: break
            }
        }
    }

    /// Sends PDUs past the client, whatever is in them, and answers how many the gate answered in this way and in the other.
    /// For phones that do not keep to the protocol.
    /// - Parameter quietNanoseconds: nobody waits for more once the gate has said nothing for so long.
    public mutating func sendUnheard(
        _ pdus: [[UInt8]], quietNanoseconds: Int64, until deadline: Int64
    ) throws(BluetoothError) -> (answered: Int, refused: Int) {
        for pdu in pdus { try send(pdu) }
        var (answered, refused) = (0, 0)
        while true {
            do throws(BluetoothError) {
                let answer = try receive(until: min(deadline, MonotonicTime.nanoseconds + quietNanoseconds))
                if answer.first == ATTOpcode.errorResponse.rawValue { refused += 1 } else { answered += 1 }
            } catch {
                guard error == .silent else { throw error }
                return (answered, refused)
            }
        }
    }

    /// Lets the gate go.
    public func close() { link.close() }

    private mutating func send(_ pdu: [UInt8]) throws(BluetoothError) {
        byteCount += pdu.count
        try link.send(pdu)
    }

    private mutating func receive(until deadline: Int64) throws(BluetoothError) -> [UInt8] {
        let pdu = try link.receive(until: deadline)
        byteCount += pdu.count
        return pdu
    }
}

/// What carries PDUs of the Attribute Protocol between a phone and a gate: a socket, or a gate in the same process.
public protocol ATTLink: AnyObject {
    /// Sends one PDU.
    func send(_ pdu: [UInt8]) throws(BluetoothError)
    /// The next PDU from the gate.
    /// - Parameter deadline: monotonic nanoseconds; `silent` is thrown then.
    func receive(until deadline: Int64) throws(BluetoothError) -> [UInt8]
    /// Lets the gate go.
    func close()
}
