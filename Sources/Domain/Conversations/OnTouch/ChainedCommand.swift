import Credentials
import Encoding

/// A command whose data may need several links, and what goes with its last one.
enum ChainedCommand {
    /// EXCHANGE with message_2.
    case message2(transcript: [UInt8])
    /// OUTCOME.
    case outcome

    /// How a link that is not acknowledged ends the conversation.
    func end(onStatus status: StatusWord) -> ConversationEnd {
        switch self {
        case .message2: .stopped(.phoneDeclined, detail: status.description)
        case .outcome: .outcomeNotTold(detail: status.description)
        }
    }
}
