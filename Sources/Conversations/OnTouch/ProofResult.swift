import Credentials

/// What became of checking a phone's proof.
public enum ProofResult: Sendable {
    /// The phone is who it says. Next: `outcome`.
    case proved(Proof)
    /// It is not, for this reason, which is for journal and events. Next: `refuse`.
    case refused(Reason)
}
