/// What a virtual chip can do wrong.
public enum PN532Fault: Hashable, Sendable {
    /// Hears the command and says nothing.
    case silent
    /// Acknowledges the command and says nothing more.
    case acknowledgeOnly
    /// Answers without an acknowledgement.
    case noAcknowledge
    /// Says this in the place of the answer.
    case garbage([UInt8])
    case wrongDataChecksum
    case wrongLengthChecksum
    /// The error frame in the place of the answer.
    case syntaxError
    /// This status in the place of the true one, where an answer has one.
    case status(UInt8)
    /// The status says that there is more, and an answer without anything follows.
    case emptyContinuation
    /// A phone is reported with an ATS of this length, whatever follows it.
    case selectLength(UInt8)
    /// A phone is reported with an identifier of this length, whatever follows it.
    case identifierLength(UInt8)
    /// The answer has so many bytes more than it should.
    case oversized(by: Int)
    /// Each byte comes alone, so many nanoseconds after the one before.
    case trickle(nanoseconds: Int64)
    /// This byte, again and again, without end.
    case endless(UInt8)
}
