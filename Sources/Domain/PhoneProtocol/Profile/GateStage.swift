import Credentials
import Encoding

/// Where the gate's side of a conversation stands.
enum GateStage {
    /// Nothing was sent.
    case ready
    /// SELECT is out.
    case selecting(ResponseCollector)
    /// A new message_1 was asked for.
    case awaitingMessage1(ResponseCollector)
    /// Some links of a command are out; the rest follows one by one.
    case linking(ResponseCollector, rest: ArraySlice<CommandAPDU>, ChainedCommand)
    /// message_2 is out.
    case exchanging(ResponseCollector)
    /// The phone says who it is: the caller looks it up and decides.
    case deciding
    /// An EDHOC error is out.
    case refusing(ResponseCollector, ConversationEnd, mayRepeat: Bool)
    /// OUTCOME is out.
    case reporting(ResponseCollector)
    /// Over.
    case finished(ConversationEnd)

    /// The response being put together, where one is awaited.
    var collector: ResponseCollector? {
        get {
            switch self {
            case .selecting(let collector), .awaitingMessage1(let collector), .linking(let collector, _, _),
                 .exchanging(let collector),
                 .refusing(let collector, _, _), .reporting(let collector): collector
            case .ready, .deciding, .finished: nil
            }
        }
        set {
            guard let newValue else { return }
            switch self {
            case .selecting: self = .selecting(newValue)
            case .awaitingMessage1: self = .awaitingMessage1(newValue)
            case .linking(_, let rest, let command): self = .linking(newValue, rest: rest, command)
            case .exchanging: self = .exchanging(newValue)
            case .refusing(_, let end, let mayRepeat): self = .refusing(newValue, end, mayRepeat: mayRepeat)
            case .reporting: self = .reporting(newValue)
            case .ready, .deciding, .finished: break
            }
        }
    }

    /// How a response that is none, or too long, ends the conversation.
    var endOnBadResponse: ConversationEnd {
        switch self {
        case .refusing(_, let end, _): end
        case .reporting, .linking(_, _, .outcome): .outcomeNotTold(detail: "bad-response")
        case .ready, .selecting, .awaitingMessage1, .linking(_, _, .message2), .exchanging, .deciding,
             .finished:
            .stopped(.protocolError, detail: "bad-response")
        }
    }
}

/// What the gate has to say next, or to do, whatever carries it.
enum GateReply {
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
