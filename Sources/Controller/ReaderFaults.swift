import Gate
import Readers
import Threads

/// Turns the states of a lane's readers into faults of the lane.
///
/// A lane with two readers goes on with one of them; it has a fault only when none is in service.
/// An ambiguous binding always is one: nobody can say which device opens the gate (T3).
final class ReaderFaults: Sendable {
    private let states: Mutex<[ReaderName: ReaderState]>

    /// The readers of one lane, of which nothing is known yet.
    init() {
        states = Mutex([:])
    }

    /// A reader has come to `state`. Returns the faults that the readers of the lane amount to now.
    func record(_ reader: ReaderName, _ state: ReaderState) -> Set<LaneFault> {
        states.withLock { states in
            states[reader] = state
            return Self.faults(of: Array(states.values))
        }
    }

    static func faults(of states: [ReaderState]) -> Set<LaneFault> {
        var faults: Set<LaneFault> = []
        if states.contains(where: \.isAmbiguous) { faults.insert(.ambiguousReader) }
        if !states.contains(where: \.isInService) { faults.insert(states.contains(where: \.isStuck) ? .readerStuck : .reader) }
        return faults
    }
}

extension ReaderState {
    fileprivate var isAmbiguous: Bool {
        switch self {
        case .ambiguous: true
        case .serviceDown, .serviceSilent, .absent, .refused, .unconnected, .ready, .cardPresent, .stuck: false
        }
    }

    fileprivate var isStuck: Bool {
        switch self {
        case .stuck: true
        case .serviceDown, .serviceSilent, .absent, .ambiguous, .refused, .unconnected, .ready, .cardPresent: false
        }
    }
}
