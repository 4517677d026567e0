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
