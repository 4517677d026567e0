extension LinkRegister {
    /// All links, in the order in which they came.
    public var sights: [LinkSight] {
        links.sorted { $0.key < $1.key }.map { LinkSight(link: $0.key, stage: $0.value.stage.shown, strength: $0.value.strength) }
    }

    /// Why a link has nothing to say or to hear any more; nil while it is served.
    public func refusal(of id: LinkIdentifier) -> LinkRefusal? {
        switch links[id]?.stage {
        case .approaching, .asking, .welcome, .talking, .told: nil
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
        case .talking: .talking
        case .told: .told
        case .leaving: .leaving
        }
    }
}
