import Encoding
import Vocabulary

extension ClockTrust {
    /// As records and checkpoints say it: 0 synchronised, 1 untrusted, [seconds since it was synchronised] holdover.
    public var cbor: CBOR {
        switch self {
        case .synchronised: .unsigned(0)
        case .untrusted: .unsigned(1)
        case .holdover(let age): .array([CBOR(age)])
        }
    }

    /// What such an item says; nil where it says nothing of the kind.
    public init?(_ item: CBOR) {
        if let parts = item.array {
            guard parts.count == 1, let age = parts[0].integer else { return nil }
            self = .holdover(ageSeconds: age)
            return
        }
        switch item.unsignedInteger {
        case 0: self = .synchronised
        case 1: self = .untrusted
        case .some, .none: return nil
        }
    }
}
