import Credentials
import Gate
import PhoneProtocol
import Storage

extension PhoneOutcome {
    /// What a phone that proved itself is told about a decision. `head` is the head of the journal
    /// after the outcome, where it is durable already.
    package init(_ decision: Decision, head: [UInt8]?) {
        let result: Result = switch (decision.result, decision.rule) {
        case (.granted, _): .granted
        case (.denied, .lane), (.denied, .audit): .failed
        case (.denied, .proof), (.denied, .verification), (.denied, .carrier), (.denied, .secondFactor), (.denied, .schedule),
             (.denied, .passback), (.denied, .capacity), (.denied, .cooldown): .refused
        }
        self.init(result: result, reasonNumber: UInt64(decision.reason.number),
                  retryAfterMilliseconds: decision.retryAfter.map { UInt32(clamping: $0) }, journalHead: head)
    }
}

extension JournalTicket {
    /// The head of the chain right after this record, once it is durable.
    var head: [UInt8]? {
        switch state {
        case .durable(_, let head): head.hash
        case .pending, .failed, .refused: nil
        }
    }
}
