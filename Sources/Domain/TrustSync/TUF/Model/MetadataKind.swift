/// The four kinds of metadata; every delegated role has the kind `targets`.
public enum MetadataKind: String, Hashable, Sendable, CaseIterable {
    /// Keys and thresholds.
    case root
    /// The newest snapshot.
    case timestamp
    /// The versions of all roles.
    case snapshot
    /// Files, and delegations.
    case targets
}
