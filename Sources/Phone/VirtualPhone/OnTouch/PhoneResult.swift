import Conversations

/// How a tap ended for the phone.
public enum PhoneResult: Hashable, Sendable {
    /// The gate told the outcome.
    case outcome(PhoneOutcome)
    /// The gate sent an EDHOC error: the uniform refusal, or an invitation that could not be followed.
    case refused(EDHOCErrorMessage)
    /// The phone itself stopped.
    case stopped(PhoneStop)
}
