import ReaderProtocol

/// One thing to do with the chip, or a wait.
enum PollingStep: Hashable, Sendable {
    /// Nothing before that time, in monotonic milliseconds, or before the gate says something; nil: not before the gate does.
    case wait(until: Int64?)
    /// Close the chip where it is open, and open it.
    case open
    /// Switch the antenna.
    case field(Bool)
    /// So long the chip waits for phones from now on.
    case patience(AirPatience)
    /// The next frame has whole bytes and a checksum.
    case wholeFrames
    /// Say who we are; nobody answers.
    case announce([UInt8])
    /// Ask who is there, once.
    case find
    /// Agree on a bit rate with the phone that was found.
    case agree(ReaderBitRate)
    /// A command APDU to the phone.
    case exchange([UInt8], AirPatience)
    /// Whether the phone is still there.
    case ask
}
