import Vocabulary

extension Direction {
    /// Its number in the plan of a lane, which is signed.
    var number: Int64 {
        switch self {
        case .in: 0
        case .out: 1
        }
    }

    init?(number: Int64) {
        switch number {
        case 0: self = .in
        case 1: self = .out
        default: return nil
        }
    }
}
