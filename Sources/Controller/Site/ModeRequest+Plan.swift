import Gate
import SiteRules

extension ModeRequest {
    /// What a plan wants of a lane; nil where it wants nothing but normal.
    init?(_ state: LanePlanState) {
        guard let mode = LaneMode(state.mode) else { return nil }
        self.init(mode, direction: state.direction.map(Direction.init))
    }
}

extension LaneMode {
    fileprivate init?(_ mode: PlannedMode) {
        switch mode {
        case .normal: return nil
        case .closed: self = .closed
        case .lockedDown: self = .lockedDown
        case .freePassage: self = .freePassage
        case .heldOpen: self = .heldOpen
        }
    }
}

extension Direction {
    fileprivate init(_ direction: PlannedDirection) {
        switch direction {
        case .inward: self = .inward
        case .outward: self = .outward
        }
    }
}
