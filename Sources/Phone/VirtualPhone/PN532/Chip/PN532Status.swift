/// Status bytes (UM0701-02, 7.1).
enum PN532Status: UInt8 {
    case good = 0x00
    /// Nobody answered in time.
    case timeOut = 0x01
    /// The checksum on the air was wrong.
    case checksum = 0x02
    /// The phone does not keep to the protocol.
    case protocolError = 0x0B
    /// The command does not fit what went before.
    case context = 0x27

    /// Set in the status when more is to be fetched.
    static let moreInformation: UInt8 = 0x40
}
