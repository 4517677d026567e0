/// Where a client of the Attribute Protocol stands.
enum ATTStage: Hashable, Sendable {
    /// Nothing is asked.
    case idle
    /// The gate is asked how long a PDU it can take.
    case exchangingMTU
    /// The gate is asked where the service is; in it this characteristic is wanted.
    case findingService(BluetoothUUID?)
    /// The service is known, its characteristics are asked for.
    case findingCharacteristic(ATTSearch)
    /// A whole value is on its way.
    case writing
    /// A part of a value is on its way.
    case preparing(PreparedWrite)
    /// All parts are there and are to be written.
    case committing
    /// The parts are to be forgotten, for this reason.
    case forgetting(ATTFailure)
    /// The beginning of this attribute is asked for.
    case reading(UInt16)
    /// So much of this attribute is here, and more may follow.
    case readingMore(UInt16, [UInt8])
}
