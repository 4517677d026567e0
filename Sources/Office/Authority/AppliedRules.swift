import Configuration

/// Rules that an authority took, or would take.
public struct AppliedRules: Sendable {
    /// How many rules, schedules, plans and zones they have.
    public let rules: Int
    /// How many memberships.
    public let memberships: Int
    /// What is remarkable about the file.
    public let warnings: [ConfigurationIssue]
}
