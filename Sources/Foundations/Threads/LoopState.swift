/// What a loop of the gate is in, as it declares itself. Times are monotonic milliseconds.
///
/// A loop that waits for its work declares that too, and wakes to do so: a thread that can no longer wake is
/// as bad as one that never comes round.
public enum LoopState: Hashable, Sendable {
    /// Our own code runs since then.
    case running(since: Int64)
    /// It waits for something to do since then.
    case waiting(since: Int64)
    /// It is in a call that the outside may prolong since then.
    case outside(OutsideCall, since: Int64)

    /// How the loop does.
    /// - Parameters:
    ///   - now: monotonic milliseconds.
    ///   - limit: milliseconds within which our own code comes round.
    ///   - amnesty: nothing from before that time counts, for the process as a whole did not run.
    public func verdict(at now: Int64, limit: Int64, amnesty: Int64 = .min) -> LoopVerdict {
        switch self {
        case .running(let since):
            let hung = now - max(since, amnesty)
            return hung > limit ? .stuck("does not come round", milliseconds: hung) : .fine
        case .waiting(let since):
            let hung = now - max(since, amnesty)
            return hung > limit ? .stuck("does not wake", milliseconds: hung) : .fine
        case .outside(let call, let since):
            return Self.verdict(of: call, milliseconds: now - since)
        }
    }

    private static func verdict(of call: OutsideCall, milliseconds: Int64) -> LoopVerdict {
        switch call.patience {
        case .fault(let bound) where milliseconds > bound: .delayed(call, milliseconds: milliseconds)
        case .restart(let bound) where milliseconds > bound: .stuck("waits for \(call.name)", milliseconds: milliseconds)
        case .watchedElsewhere, .fault, .restart: .fine
        }
    }
}
