/// What a command to the phone came to, where the chip did its part.
enum PhoneReply: Hashable, Sendable {
    /// 2 bytes or more: a status word at the least.
    case answer([UInt8])
    /// The phone has gone, was silent for too long, or did not keep to the protocol. The number is libnfc's.
    case lost(Int32)
}
