extension LinkRegister {
    /// All links, in the order in which they came.
    public var sights: [LinkSight] {
        links.sorted { $0.key < $1.key }.map { LinkSight(link: $0.key, stage: $0.value.stage.shown, strength: $0.value.strength) }
    }

    /// Whether there is no link at all.
    public var isEmpty: Bool { links.isEmpty }
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
