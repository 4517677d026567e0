/// Which lane of a shared radio a phone is offered that does not ask for one.
public enum LaneChoice {
    /// The lanes in the order in which they are offered: first the first of them that could let somebody through now, then the others.
    /// Where none could, the first of all says why.
    /// - Parameter lanes: those that the phone is near, in the order of the configuration, and what stands in the way at each.
    public static func order(_ lanes: [(lane: String, condition: LaneCondition)]) -> [String] {
        guard let free = lanes.firstIndex(where: { $0.condition.isClear }) else { return lanes.map(\.lane) }
        return [lanes[free].lane] + lanes.indices.filter { $0 != free }.map { lanes[$0].lane }
    }
}

extension LaneCondition {
    fileprivate var isClear: Bool {
        switch self {
        case .clear: true
        case .resting, .busy, .occupied, .closed, .outOfService: false
        }
    }
}
