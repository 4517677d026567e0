import Threads

/// The promise of one record. Ask it, or wait for it with a bound; never a wait without one.
public final class JournalTicket: Sendable {
    /// The record's place in its chain, known before it is durable so that an outcome can name its
    /// attempt. A counted failure has the place of its attempt; a refused record has 0.
    public let sequence: UInt64
    /// The chain it goes to.
    public let partition: JournalPartition

    private let current = Monitor<JournalTicketState>(.pending)

    init(sequence: UInt64, partition: JournalPartition) {
        self.sequence = sequence
        self.partition = partition
    }

    /// How far the record has come.
    public var state: JournalTicketState { current.withLock { $0 } }

    /// Whether the record is on the disk for good.
    public var isDurable: Bool {
        if case .durable = state { true } else { false }
    }

    /// Waits until the record is durable or refused, at most until that monotonic time. A try that failed
    /// does not end the wait: the disk may have been busy for a moment only.
    /// - Returns: the state then; `.pending` or `.failed` says that the time has come.
    public func waitUntilDurable(untilMonotonicMilliseconds end: Int64) -> JournalTicketState {
        waited(until: end) { $0.isFinal } ?? state
    }

    /// Waits until the record is durable, refused or a try has failed, at most until that monotonic time.
    public func wait(untilMonotonicMilliseconds end: Int64) -> JournalTicketState {
        waited(until: end) { $0 != .pending } ?? .pending
    }

    /// The wait has an end of its own, so that nobody needs to watch over it.
    private static let way = OutsideCall("a record's way to the disk", .watchedElsewhere)

    private func waited(until end: Int64, _ isEnough: (JournalTicketState) -> Bool) -> JournalTicketState? {
        Loop.outside(Self.way) {
            current.wait(untilNanoseconds: MonotonicTime.nanoseconds(atMilliseconds: end)) { isEnough($0) ? $0 : nil }
        }
    }

    /// Waits at most so many milliseconds from now. 0 or less asks without waiting.
    public func wait(milliseconds: Int) -> JournalTicketState {
        milliseconds <= 0 ? state : wait(untilMonotonicMilliseconds: MonotonicTime.milliseconds + Int64(clamping: milliseconds))
    }

    /// Tells what became of the record. Durable and refused are the last word.
    func settle(_ state: JournalTicketState) {
        current.change { if !$0.isFinal { $0 = state } }
    }
}

/// How far a record has come on its way to the disk.
public enum JournalTicketState: Hashable, Sendable {
    /// It is on its way.
    case pending
    /// It is on the disk for good. `head` is the main chain's head right after it.
    case durable(sequence: UInt64, head: JournalHead)
    /// The last try failed, whatever the error. The record stays in the journal's queue and is tried again:
    /// the state may still become `durable`. Whoever appends it once more writes it twice.
    case failed(StorageError)
    /// It is in no queue and will never be on the disk: it was too large, too many were waiting, or the
    /// journal was closed, in which case the error is that of the last try.
    case refused(StorageError)

    /// Whether the journal has nothing more to say about the record.
    var isFinal: Bool {
        switch self {
        case .durable, .refused: true
        case .pending, .failed: false
        }
    }
}
