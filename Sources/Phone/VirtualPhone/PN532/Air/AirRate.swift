/// Bit rates of ISO/IEC 14443 that the PN532 knows; the raw value is the one of PPS and InPSL.
enum AirRate: UInt8 {
    case r106 = 0
    case r212 = 1
    case r424 = 2

    /// One bit at 106 kbit/s is 128 periods of 13.56 MHz.
    private static let slowestBitNanoseconds: Int64 = 9_440

    func nanoseconds(of frame: AirFrame) -> Int64 {
        Int64(frame.bitCount) * (Self.slowestBitNanoseconds >> Int64(rawValue))
    }
}
