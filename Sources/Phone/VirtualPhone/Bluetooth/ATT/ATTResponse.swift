/// What a gate answers to a request (Core 5.4, Vol 3 Part F, 3.4).
public enum ATTResponse: Hashable, Sendable {
    /// It did not do it (3.4.1.1). `request` is the opcode of what was asked.
    case error(request: UInt8, handle: UInt16, ATTErrorCode)
    /// How long a PDU the gate can take (3.4.2.2).
    case exchangeMTU(UInt16)
    /// Groups: their first and last handle (3.4.3.4).
    case findByTypeValue([ClosedRange<UInt16>])
    /// Attributes with their values, all of one length (3.4.4.2).
    case readByType([Attribute])
    /// Groups with the values of their first attributes (3.4.4.10).
    case readByGroupType([Group])
    /// The beginning of a value (3.4.4.4).
    case read([UInt8])
    /// What follows in it (3.4.4.6).
    case readBlob([UInt8])
    /// It is written (3.4.5.2).
    case write
    /// What was prepared, as the gate understood it (3.4.6.2).
    case prepareWrite(UInt16, offset: UInt16, part: [UInt8])
    /// The parts are written or forgotten (3.4.6.4).
    case executeWrite
    /// A response to something that no phone of ours asks.
    case other(UInt8)

    /// An attribute and the beginning of its value.
    public struct Attribute: Hashable, Sendable {
        public let handle: UInt16
        public let value: [UInt8]
    }

    /// A group of attributes and the value of the first.
    public struct Group: Hashable, Sendable {
        public let handles: ClosedRange<UInt16>
        public let value: [UInt8]
    }
}
