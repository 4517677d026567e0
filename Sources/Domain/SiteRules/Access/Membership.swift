/// Somebody belongs to a group. There may be a million of these: they are rows of the gate's database, while the
/// rest of the rules is held in memory.
public struct Membership: Hashable, Sendable {
    /// The group.
    public let group: String
    /// The subject of a token or of an enrolled key.
    public let subject: String

    /// So many groups of one person are looked at: a tap reads them all, and office and site's file refuse more. Nobody who is in more
    /// of them all the same passes anywhere, for the group that would keep them out may be the one that was not looked at.
    public static let mostOfOne = 64

    /// A membership.
    public init(group: String, subject: String) {
        self.group = group
        self.subject = subject
    }
}
