import VirtualPhone

/// What a phone is to do on a link to a gate.
public struct BluetoothPlan: Sendable {
    /// What the phone says it can take; 23 asks for nothing.
    public var mtu: Int
    /// Where the value of the characteristic is, if that is known; nil finds it.
    public var handle: UInt16?
    /// The service in which it is.
    public var service: BluetoothUUID
    public var misbehaviour: BluetoothMisbehaviour?
    /// When it gives up: monotonic nanoseconds.
    public var deadline: Int64

    public init(
        mtu: Int = ATTLimits.greatestMTU, handle: UInt16? = nil, service: BluetoothUUID = GateService.onTouch.uuid,
        misbehaviour: BluetoothMisbehaviour? = nil, deadline: Int64
    ) {
        self.mtu = mtu
        self.handle = handle
        self.service = service
        self.misbehaviour = misbehaviour
        self.deadline = deadline
    }
}
