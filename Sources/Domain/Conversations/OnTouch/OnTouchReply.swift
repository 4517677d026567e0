/// What the gate has to say next, or to do, whatever carries it.
enum OnTouchReply {
    /// message_2, which begins the attempt named by TH_2.
    case message2([UInt8], transcript: [UInt8])
    /// Nothing yet: the phone says who it is.
    case claim(Claim)
    /// An EDHOC error. `end` is how the conversation ends, unless the phone may begin again and does.
    case error(EDHOCErrorMessage, end: ConversationEnd, mayRepeat: Bool)
    /// The outcome, encrypted.
    case outcome([UInt8])
    /// Nothing: it is over.
    case end(ConversationEnd)
}
