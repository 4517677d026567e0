import Gate
import SiteRules

extension ModeRequest {
    /// What a plan wants of a lane; nil where it wants nothing but normal.
    package init?(_ state: LanePlanState) {
        guard state.mode != .normal else { return nil }
        self.init(state.mode, direction: state.direction)
    }
}
