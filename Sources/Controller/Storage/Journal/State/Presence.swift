import Credentials

/// That a person is in a zone, as far as the gate's lanes have seen.
public struct Presence: Hashable, Sendable {
    /// Who.
    public let person: PersonDigest
    /// The zone's name.
    public let zone: String
    /// When the person came in, in UNIX milliseconds.
    public let since: Int64
    /// False once a way out has stood open since: the person may have left unseen.
    public let isSure: Bool

    /// A presence.
    public init(person: PersonDigest, zone: String, since: Int64, isSure: Bool = true) {
        self.isSure = isSure
        self.person = person
        self.zone = zone
        self.since = since
    }
}
