/// What RFConfiguration and SetParameters have set (UM0701-02, 7.2.9 and 7.3.1), as it is after a reset.
struct PN532Settings {
    /// Flags of SetParameters: automatic ATR_RES and RATS.
    var parameters: UInt8 = 0x14
    /// Tries of one search beyond the first; FF: without end.
    var passiveActivationRetries: UInt8 = 0xFF
    /// The time limit of an answer on the air, as a power of two: 0 is none, n is 0.1 ms × 2^(n − 1). 51.2 ms after a reset.
    var communicationTimeOut: UInt8 = 0x0A

    private static let automaticSelect: UInt8 = 0x10

    var asksForSelect: Bool { parameters & Self.automaticSelect != 0 }

    var patience: Int64? {
        communicationTimeOut == 0 ? nil : 100_000 << Int64(min(communicationTimeOut, 0x10) - 1)
    }
}
