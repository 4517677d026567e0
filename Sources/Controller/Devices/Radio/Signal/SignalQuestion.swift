/// What came of asking for the strength of a link.
enum SignalQuestion: Hashable, Sendable {
    /// The answer comes later.
    case asked
    /// The link has just ended.
    case linkEnded
    /// It could not be asked.
    case failed(StrengthFault)
}
