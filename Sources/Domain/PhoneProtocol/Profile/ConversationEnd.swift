import Credentials

/// How a conversation ended, for journal and events. Unless the outcome was told, the phone learned
/// at most the uniform refusal.
public enum ConversationEnd: Hashable, Sendable {
    /// The phone has the outcome.
    case outcomeTold
    /// The outcome was decided, but the phone was not there to hear it, or refused to.
    case outcomeNotTold(detail: String)
    /// It came to no proof. `detail` is a stable code that narrows the reason down, empty if there is
    /// nothing more to say.
    case stopped(Reason, detail: String)

    static func stopped(_ reason: Reason) -> ConversationEnd { .stopped(reason, detail: "") }

    static func stopped(_ error: EDHOCError) -> ConversationEnd {
        switch error {
        case .malformed(let field): .stopped(.protocolError, detail: "\(error.code): \(field)")
        case .methodNotSupported, .wrongSuite: .stopped(.protocolVersion, detail: error.code)
        case .tooLong, .criticalItemNotUnderstood, .badEphemeralKey, .notDecrypted:
            .stopped(.protocolError, detail: error.code)
        case .proofFailed: .stopped(.badProof)
        case .keyDoesNotFit: .stopped(.wrongKeyUse, detail: error.code)
        case .unknownCredential: .stopped(.unknownKey)
        case .outOfOrder, .cryptography: .stopped(.internalError, detail: error.code)
        }
    }

    /// The phone sent an EDHOC error with this code in the place of a message. An error answers no error (RFC 9528, 6),
    /// least of all code 0, which nobody may send (6.1).
    static func declined(code: Int64) -> ConversationEnd { .stopped(.phoneDeclined, detail: "edhoc-error-\(code)") }

    static func stopped(_ fault: ClaimFault) -> ConversationEnd {
        switch fault {
        case .malformed(let code): .stopped(.malformed, detail: code)
        case .protocolError(let code): .stopped(.protocolError, detail: code)
        case .wrongCarrier: .stopped(Reason.wrongCarrier)
        case .wrongLane: .stopped(Reason.wrongLane)
        }
    }

    /// Why there was no proof; nil after an outcome.
    public var reason: Reason? {
        switch self {
        case .outcomeTold, .outcomeNotTold: nil
        case .stopped(let reason, _): reason
        }
    }
}
