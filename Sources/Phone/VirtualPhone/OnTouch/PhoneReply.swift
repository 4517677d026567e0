import Conversations

/// What the phone has to say next, whatever carries it.
enum PhoneReply {
    /// message_1: the phone begins, or begins again.
    case message1([UInt8])
    case message3([UInt8])
    /// Nothing: it is over, with this result.
    case end(PhoneResult)
}
