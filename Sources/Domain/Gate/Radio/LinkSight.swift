/// One link as it is shown: to status, and to integrators who want to know of phones nearby (T12).
public struct LinkSight: Hashable, Sendable {
    /// How far the link has come.
    public enum Stage: String, Sendable {
        /// It says nothing yet, and is not near.
        case approaching
        /// It is near a lane, and says nothing yet.
        case near
        /// It has said something, which waits until its distance is known.
        case waiting
        /// A conversation is under way.
        case talking
        /// It has its result.
        case told
        /// It is being disconnected.
        case leaving
    }

    /// Which link.
    public let link: LinkIdentifier
    /// How far it has come.
    public let stage: Stage
    /// How strong it was heard last, smoothed; nil where that is not known.
    public let strength: SignalStrength?

    public init(link: LinkIdentifier, stage: Stage, strength: SignalStrength?) {
        self.link = link
        self.stage = stage
        self.strength = strength
    }
}
