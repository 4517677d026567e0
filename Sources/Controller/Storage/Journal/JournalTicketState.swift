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
