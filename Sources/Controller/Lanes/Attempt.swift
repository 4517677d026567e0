import Credentials
import Storage
import Threads

/// One presentation from the first APDU to its result.
///
/// A call into PC/SC cannot be cancelled, so the deadline is kept by another thread: whoever ends
/// the attempt first has its result, and the other one's is dropped. That is how a card that falls
/// silent neither holds up the indicators nor opens the gate when it answers late.
///
/// The threads of reader and timekeeper call. `state` guards how far it is, and is held while the record is put into the journal, whose
/// lock comes after it; `onTimeout` is called without it.
package final class Attempt: Sendable {
    /// The reader it happens at.
    package let reader: String
    /// The carrier it came over.
    package let carrier: Carrier
    /// How much what is shown in it is worth.
    package let assurance: Assurance
    /// Monotonic milliseconds at which it began.
    let began: Int64
    /// Monotonic milliseconds at which it is closed as `timeout` if there is no decision.
    package let deadline: Int64
    /// Called once when the deadline ends it, on the timekeeper's thread.
    let onTimeout: @Sendable (Attempt) -> Void

    private let state = Mutex(State(stage: .running, record: nil))

    private struct State {
        var stage: Stage
        var record: JournalTicket?
        var isRead = true
    }

    private enum Stage {
        /// The phone has the word.
        case running
        /// The phone has proved itself in time; the gate is deciding.
        case deciding
        /// It has its result.
        case ended
    }

    package init(reader: String, carrier: Carrier, assurance: Assurance = .proven, began: Int64, deadline: Int64,
         onTimeout: @escaping @Sendable (Attempt) -> Void) {
        self.reader = reader
        self.carrier = carrier
        self.assurance = assurance
        self.began = began
        self.deadline = deadline
        self.onTimeout = onTimeout
    }

    /// Its record in the journal, once there is one.
    package var record: JournalTicket? {
        state.withLock { $0.record }
    }

    /// The lane need not show any longer that the phone is being read. False from the second time on.
    package func endReading() -> Bool {
        state.withLock { state in
            defer { state.isRead = false }
            return state.isRead
        }
    }

    /// Takes the record that `append` makes, which is given the one before, to conclude it. False, and nothing is appended, when the
    /// deadline was faster: an attempt that has ended has had its end in the journal, and must not leave a record open there.
    package func beginRecord(_ append: (JournalTicket?) -> JournalTicket) -> Bool {
        state.withLock { state in
            switch state.stage {
            case .running:
                state.record = append(state.record)
                return true
            case .deciding, .ended:
                return false
            }
        }
    }

    /// The phone's last byte is here at `now` (monotonic milliseconds). False when the deadline has passed,
    /// whether or not its keeper has noticed: then nothing may be granted.
    package func beginDecision(at now: Int64) -> Bool {
        guard now < deadline else {
            expire()
            return false
        }
        return state.withLock { state in
            switch state.stage {
            case .running:
                state.stage = .deciding
                return true
            case .deciding, .ended:
                return false
            }
        }
    }

    /// The reader's thread has a result. False when the deadline was faster.
    package func end() -> Bool {
        state.withLock { state in
            switch state.stage {
            case .running, .deciding:
                state.stage = .ended
                return true
            case .ended:
                return false
            }
        }
    }

    /// The deadline has come. Does nothing once the gate is deciding.
    func expire() {
        let expired = state.withLock { state in
            switch state.stage {
            case .running:
                state.stage = .ended
                return true
            case .deciding, .ended:
                return false
            }
        }
        if expired { onTimeout(self) }
    }
}
