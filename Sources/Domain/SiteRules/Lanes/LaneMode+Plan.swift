import Vocabulary

extension LaneMode {
    /// Its number in the plan of a lane, which is signed.
    package var number: Int64 {
        switch self {
        case .normal: 0
        case .closed: 1
        case .lockedDown: 2
        case .freePassage: 3
        case .heldOpen: 4
        }
    }

    init?(number: Int64) {
        guard let mode = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = mode
    }

    /// The stricter, the greater: what counts where two modes would, or while nobody knows the time.
    var strictness: Int {
        switch self {
        case .heldOpen: 0
        case .freePassage: 1
        case .normal: 2
        case .closed: 3
        case .lockedDown: 4
        }
    }
}
