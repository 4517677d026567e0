/// What verification answers: never a plain yes or no.
public enum VerificationResult: Hashable, Sendable {
    /// The credential is good for the command at this place and time.
    case verified(VerifiedCredential)
    /// It is not, for this reason: the first in the order of `Verification`.
    case refused(Reason)
}
