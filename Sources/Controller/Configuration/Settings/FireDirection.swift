/// What a fire alarm makes of a lane's relay.
public enum FireDirection: String, Hashable, Sendable, CaseIterable {
    case out, `in`
    /// The relay goes on as it is.
    case stay
}
