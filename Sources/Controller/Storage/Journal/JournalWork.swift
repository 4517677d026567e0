/// One thing the writer does to the database, planned when the entry was taken.
enum JournalWork: Sendable {
    /// Append a record. `window` names the counter that the record replaces.
    case record(JournalPartition, sequence: UInt64, JournalEntry, window: FailureWindows.Key?)
    /// Add one to a counter, and close the failure's attempt.
    case count(FailureWindows.Key, attempt: UInt64?, JournalTime)

    /// How many changes of the state it brings.
    var effects: Int {
        switch self {
        case .record(_, _, let entry, _): entry.effects.count
        case .count: 0
        }
    }
}
