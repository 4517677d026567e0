import Credentials
import Storage
import Synchronization

/// One presentation from the first APDU to its result.
///
/// A call into PC/SC cannot be cancelled, so the deadline is kept by another thread: whoever ends
/// the attempt first has its result, and the other one's is dropped. That is how a card that falls
/// silent neither holds up the lights nor opens the gate when it answers late.
final class Attempt: Sendable {
    /// The reader it happens at.
    let reader: String
    /// The carrier it came over.
    let carrier: Carrier
    /// Monotonic milliseconds at which it began.
    let began: Int64
    /// Monotonic milliseconds at which it is closed as `timeout` if there is no decision.
    let deadline: Int64
    /// Called once when the deadline ends it, on the timekeeper's thread.
    let onTimeout: @Sendable (Attempt) -> Void

    private let stage = Mutex(Stage.running)
    private let ticket = Mutex<JournalTicket?>(nil)

    /// Its record in the journal, once there is one.
    var record: JournalTicket? {
        get { ticket.withLock { $0 } }
        set { ticket.withLock { $0 = newValue } }
    }

    private enum Stage {
        /// The phone has the word.
        case running
        /// The phone has proved itself in time; the gate is deciding.
        case deciding
        /// It has its result.
        case ended
    }

    init(reader: String, carrier: Carrier, began: Int64, deadline: Int64, onTimeout: @escaping @Sendable (Attempt) -> Void) {
        self.reader = reader
        self.carrier = carrier
        self.began = began
        self.deadline = deadline
        self.onTimeout = onTimeout
    }

    /// The phone's last byte is here. False when the deadline was faster: then nothing may be granted.
    func beginDecision() -> Bool {
        stage.withLock { stage in
            switch stage {
            case .running:
                stage = .deciding
                return true
            case .deciding, .ended:
                return false
            }
        }
    }

    /// The reader's thread has a result. False when the deadline was faster.
    func end() -> Bool {
        stage.withLock { stage in
            switch stage {
            case .running, .deciding:
                stage = .ended
                return true
            case .ended:
                return false
            }
        }
    }

    /// The deadline has come. Does nothing once the gate is deciding.
    func expire() {
        let expired = stage.withLock { stage in
            switch stage {
            case .running:
                stage = .ended
                return true
            case .deciding, .ended:
                return false
            }
        }
        if expired { onTimeout(self) }
    }
}
