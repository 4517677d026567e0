import Credentials

/// What became of checking a phone's proof.
public enum ProofResult: Sendable {
    /// The phone is who it says. Next: `outcome`.
    case proved(Proof)
    /// It is not, for this reason, which is for journal and events. Next: `refuse`.
    case refused(Reason)

    /// Whether the phone showed a key of the gate itself. That comes before whatever else is wrong.
    public var isWrongRole: Bool {
        switch self {
        case .refused(let reason): reason == .wrongRole
        case .proved: false
        }
    }
}
