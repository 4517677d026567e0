extension LinkRegister {
    /// All links, in the order in which they came.
    public var sights: [LinkSight] {
        links.sorted { $0.key < $1.key }.map { LinkSight(link: $0.key, stage: $0.value.stage.shown, strength: $0.value.strength) }
    }

    /// Why a link has nothing to say or to hear any more; nil while it is served.
    public func refusal(of id: LinkIdentifier) -> LinkRefusal? {
        switch links[id]?.stage {
        case .approaching, .asking, .welcome, .conversing, .notified: nil
        case .leaving(let refusal, _): refusal
        case nil: .unknown
        }
    }
}

extension LinkStage {
    /// How it is shown.
    fileprivate var shown: LinkSight.Stage {
        switch self {
        case .approaching(let approach, _):
            switch approach.verdict {
            case .near: .near
            case .open, .far: .approaching
            }
        case .asking: .waiting
        case .welcome: .near
        case .conversing: .conversing
        case .notified: .notified
        case .leaving: .leaving
        }
    }
}

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
        case conversing
        /// It has its result.
        case notified
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
