import Cryptography

/// What a new repository shall be.
public struct RepositoryPlan: Sendable {
    /// The folder for `metadata/` and `targets/`.
    public var path: String
    /// The public keys of root and targets; their private halves are elsewhere.
    public var keys: [RepositoryRole: [PublicKey]] = [:]
    /// How many of a role's keys must sign; 1 unless it is said.
    public var thresholds: [RepositoryRole: Int] = [:]
    /// For how long what a role signs counts, in seconds, where it is not the usual time.
    public var validSeconds: [RepositoryRole: Int64] = [:]
    /// All keys are made in the authority's folder, root and targets too.
    public var isTogether = false
    /// It takes the place of the one that there is, whose root nobody can sign for any more, or a thief can. Every gate needs its first root by hand.
    public var isReplacement = false

    /// A repository in a folder.
    public init(path: String) { self.path = path }
}
