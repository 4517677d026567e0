/// Somebody belongs to a group. There may be a million of these: they are rows of the gate's database, while the
/// rest of the rules is held in memory.
public struct Membership: Hashable, Sendable {
    /// The group.
    public let group: String
    /// The subject of a token or of an enrolled key.
    public let subject: String

    /// A membership.
    public init(group: String, subject: String) {
        self.group = group
        self.subject = subject
    }
}
