import Configuration
import Gate

extension Direction {
    /// The direction that an installer wrote down.
    init(_ direction: PassageDirection) {
        self = switch direction {
        case .in: .inward
        case .out: .outward
        }
    }
}
