import SiteRules

/// How a file writes a direction.
enum DirectionWord: String, CaseIterable {
    case inward = "in"
    case outward = "out"

    var direction: PlannedDirection {
        switch self {
        case .inward: .inward
        case .outward: .outward
        }
    }
}
