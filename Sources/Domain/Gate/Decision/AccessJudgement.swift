import Credentials

/// What the site's rules and anti-passback say about a person whose credential is good, before the lane is asked.
public enum AccessJudgement: Equatable, Sendable {
    /// Nothing there is against it; `notes` are written into the record of the outcome (soft anti-passback).
    case allowed(notes: [Reason])
    /// Something is: why, and by which rule.
    case refused(Reason, by: Decision.Rule)

    /// Nothing is against it, and there is nothing to note.
    public static let allowed = AccessJudgement.allowed(notes: [])
}
