import Configuration
import Gate
import PhoneProtocol
import Readers
import Service
import Threads
import Vocabulary

/// What the readers and radios of one lane are good for, and the faults of the lane that they amount to.
///
/// A lane goes on with any one of them; it has a fault only when none is in service. An ambiguous binding of a
/// reader always is one: nobody can say which device opens the gate (T3).
///
/// The threads of readers and radios record, taps ask. `states` guards all; it is taken under the lock of the lane, and nothing is called under it.
package final class LaneCarriers: Sendable {
    private let states: Mutex<States>

    private struct States {
        var readers: [ReaderName: ReaderState] = [:]
        var directions: [ReaderName: Direction] = [:]
        var radios: [String: Bool] = [:]
        var policy: CarrierPolicy

        /// A reader at a lane that is served over radios alone serves nobody.
        var isAnyInService: Bool {
            policy != .bleOnly && readers.values.contains(where: \.isInService) || radios.values.contains(true)
        }
    }

    /// The carriers of one lane, of which nothing is known yet.
    package init(_ policy: CarrierPolicy) {
        states = Mutex(States(policy: policy))
    }

    /// The lane goes on with another policy, and its readers with other directions. Returns the faults that follow; nil as long
    /// as nothing is known.
    package func adopt(_ policy: CarrierPolicy, _ directions: [ReaderName: Direction]) -> Set<LaneFault>? {
        states.withLock { states in
            states.policy = policy
            states.directions = directions
            return states.readers.isEmpty && states.radios.isEmpty ? nil : Self.faults(of: states)
        }
    }

    /// Whether a phone can be presented over NFC now by somebody who wants to pass that way (T2).
    func isNFCInService(_ direction: Direction) -> Bool {
        states.withLock { states in
            states.readers.contains { states.directions[$0.key] == direction && $0.value.isInService }
        }
    }

    /// A reader has come to `state`. Returns the faults that the carriers of the lane amount to now.
    package func record(_ reader: ReaderName, toward direction: Direction, _ state: ReaderState) -> Set<LaneFault> {
        states.withLock { states in
            states.directions[reader] = direction
            states.readers[reader] = state
            return Self.faults(of: states)
        }
    }

    /// A radio is in service or is not. Returns the faults that the carriers of the lane amount to now.
    package func record(radio: String, isInService: Bool) -> Set<LaneFault> {
        states.withLock { states in
            states.radios[radio] = isInService
            return Self.faults(of: states)
        }
    }

    private static func faults(of states: States) -> Set<LaneFault> {
        var faults: Set<LaneFault> = []
        if states.readers.values.contains(where: \.isAmbiguous) { faults.insert(.ambiguousReader) }
        if !states.isAnyInService { faults.insert(states.readers.values.contains(where: \.isStuck) ? .readerStuck : .reader) }
        return faults
    }
}

extension ReaderState {
    fileprivate var isAmbiguous: Bool {
        switch self {
        case .ambiguous: true
        case .serviceDown, .serviceSilent, .absent, .refused, .unconnected, .ready, .cardPresent, .stuck, .recovering, .failed: false
        }
    }

    fileprivate var isStuck: Bool {
        switch self {
        case .stuck: true
        case .serviceDown, .serviceSilent, .absent, .ambiguous, .refused, .unconnected, .ready, .cardPresent, .recovering, .failed: false
        }
    }
}
