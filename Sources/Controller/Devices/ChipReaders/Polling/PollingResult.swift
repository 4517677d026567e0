import ReaderProtocol

/// What a step came to.
enum PollingResult: Hashable, Sendable {
    /// It was done, and has nothing to tell.
    case done
    case opened(ChipFirmware)
    /// Nil: nobody is there.
    case found(FoundCard?)
    case replied(PhoneReply)
    case isThere(Bool)
    /// The chip failed.
    case failed(ChipError)
}
