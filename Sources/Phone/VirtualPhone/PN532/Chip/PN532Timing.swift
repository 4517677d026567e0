/// How long the virtual chip takes for what it says.
public struct PN532Timing: Hashable, Sendable {
    /// One byte on the wire; 0 where bytes take no time.
    let byteNanoseconds: Int64
    /// Whether frames on the air take their time.
    let isAirTimed: Bool

    /// Everything happens at once.
    public static let none = PN532Timing(byteNanoseconds: 0, isAirTimed: false)

    /// The true times of bytes: ten bits each on the wire at 115,200 baud, and the bit rate of the air. The chip itself computes in no time.
    public static func bytes() -> PN532Timing {
        PN532Timing(byteNanoseconds: 10_000_000_000 / 115_200, isAirTimed: true)
    }
}
