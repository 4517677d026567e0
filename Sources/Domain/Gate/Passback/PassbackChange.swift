import Credentials

/// What has changed in what is known of people, to be written down.
public enum PassbackChange: Hashable, Sendable {
    /// The person is in the zone since that moment (UNIX milliseconds).
    case entered(PersonDigest, zone: String, at: Int64)
    /// The person is not known to be in the zone any more.
    case left(PersonDigest, zone: String)
    /// Nobody is known to be in the zone who came in before that moment.
    case emptied(zone: String, before: Int64)
    /// Everybody who is known to be in the zone now may have left unseen.
    case doubted(zone: String)
}
