import Gate
import Readers

extension PresentationDisposition {
    /// What happens to a phone or card that stays, after what its case came to.
    package init(after end: TapTransaction.End?) {
        self = switch end {
        case .decided(let decision): Self(after: decision)
        case .unproven(.cardRemoved), .unproven(.readerFault): .interrupted
        case .unproven, nil: .done
        }
    }

    /// Who only came too early is served as soon as it may be, without being lifted.
    private init(after decision: Decision) {
        self = if let retryAfter = decision.retryAfter {
            .again(afterMilliseconds: retryAfter)
        } else if decision.reason == .busy {
            .again(afterMilliseconds: Self.busyPause)
        } else {
            .done
        }
    }

    /// Milliseconds until a phone is tried again whose lane another reader was just opening.
    private static let busyPause: Int64 = 100
}

extension Decision {
    /// Whether it is the phone's result, and not that it came too early.
    var isFinal: Bool { PresentationDisposition(after: TapTransaction.End.decided(self)) == .done }
}
