/// How long the chip waits for a phone's answer. It knows powers of two only: 0.1 ms × 2^(n − 1) (UM0701-02, 7.3.1, item 2).
struct AirPatience: Hashable, Sendable {
    /// n: 1 to 16.
    let exponent: Int

    /// Nobody answers the frame that announces us: no longer than needed. 6.4 ms.
    static let polling = AirPatience(exponent: 7)
    /// For the question whether a phone is still there, of which libnfc waits 300 ms for the chip: 102.4 ms.
    static let asking = AirPatience(exponent: 11)
    /// 3,276.8 ms.
    private static let longestExponent = 16

    private init(exponent: Int) { self.exponent = exponent }

    /// The longest that is not longer than that time, give or take a fortieth: 1,600 ms means 1,638.4.
    static func exchange(milliseconds: UInt16) -> AirPatience {
        let most = Int64(milliseconds) * 1_025
        let exponent = (polling.exponent...longestExponent).last { AirPatience(exponent: $0).microseconds <= most }
        return AirPatience(exponent: exponent ?? polling.exponent)
    }

    var microseconds: Int64 { 100 << Int64(exponent - 1) }

    /// What libnfc's NP_TIMEOUT_COM takes for it. libnfc halves 3,280 until the value asked for is greater, so that what looks
    /// like 1,638 ms would become 819.
    var libnfcMilliseconds: Int32 {
        exponent == Self.longestExponent ? Self.libnfcFirst + 1 : Self.libnfcFirst >> Int32(Self.longestExponent - 1 - exponent)
    }

    private static let libnfcFirst: Int32 = 3_280

    /// So long libnfc waits for the chip in an exchange: the chip has the first word, and its silence is a fault.
    var hostMilliseconds: Int32 { Int32(microseconds / 1_000) + 300 }
}
