/// When a question about rules is asked.
public enum SiteMoment: Hashable, Sendable {
    /// At a UNIX second that is to be believed.
    case known(Int64)
    /// Nobody vouches for the time.
    case unknown
}
