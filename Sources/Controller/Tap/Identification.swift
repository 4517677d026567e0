import Credentials
import PhoneProtocol

/// Who the phone may be, by what it claims and what the site data say.
enum Identification: Sendable {
    /// These credentials fit; which of them, the proof says.
    case candidates([Candidate])
    /// None does, so that nothing can be proved: the true reason, which the phone is not told.
    case stranger(Reason)
}
