import PhoneProtocol

/// Where a phone stands.
enum PhoneStage {
    /// Nothing has begun.
    case idle
    /// message_1 is out.
    case offered
    /// message_3 is out; an outcome can come by this channel.
    case answered(ApplicationChannel)
    /// Nothing more to say, but a new exchange may begin.
    case over
}
