/// What a phone can want from a gate over the Attribute Protocol: one thing at a time (Core 5.4, Vol 3 Part F, 3.3.2).
public enum ATTProcedure: Hashable, Sendable {
    /// Agree on how long a PDU may be (Part G, 4.3.1).
    case exchangeMTU
    /// Find the service and in it the characteristic; nil: the first that can be read and written (Part G, 4.4.2 and 4.6.2).
    case find(service: BluetoothUUID, characteristic: BluetoothUUID?)
    /// Write a value to a handle: at once if it fits, else prepared in parts (Part G, 4.9.3 and 4.9.4).
    case write(UInt16, value: [UInt8])
    /// Write a value in prepared parts, the first of them at this offset (Part G, 4.9.4).
    case writePrepared(UInt16, value: [UInt8], offset: Int)
    /// Read a value, to its end (Part G, 4.8.1 and 4.8.3).
    case read(UInt16)
}
