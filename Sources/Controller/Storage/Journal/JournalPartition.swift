/// The two chains of a journal. Each has its own gapless sequence, hash chain and ring, so that no
/// amount of the one can push out the other.
public enum JournalPartition: String, Sendable, Hashable, CaseIterable {
    /// What was proven and what the gate itself did: outcomes after a phone's proof, inputs, modes,
    /// configuration, trust, service. An outcome carries its attempt inside.
    case main
    /// What anybody can cause without a credential: attempts, and failures before a proof, which are
    /// counted where they repeat.
    case unproven
}
