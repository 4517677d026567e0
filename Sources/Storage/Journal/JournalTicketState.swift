/// How far a record has come on its way to the disk.
public enum JournalTicketState: Hashable, Sendable {
    /// It is on its way.
    case pending
    /// It is on the disk for good. `head` is the main chain's head right after it.
    case durable(sequence: UInt64, head: JournalHead)
    /// The last try failed. If `error.mayPass`, the journal keeps the record and goes on trying, and the
    /// state may still become `durable`; otherwise the record was refused.
    case failed(StorageError)
}
