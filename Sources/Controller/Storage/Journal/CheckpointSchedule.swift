/// When the next signed checkpoint is due: after so many records, or so long after the first record that none stands
/// for. Pure; time is an argument, in monotonic milliseconds.
struct CheckpointSchedule {
    private let records: UInt64
    private let period: Int64
    /// Records of both chains.
    private var total: UInt64
    /// The main chain's head.
    private var sequence: UInt64
    /// Records of both chains that the newest checkpoint stands for.
    private var covered: UInt64
    /// The newest checkpoint's own record, which needs no other to stand for it.
    private var own: UInt64?
    /// When the first record came that no checkpoint stands for.
    private var since: Int64?

    /// - Parameters:
    ///   - records: after how many one is due.
    ///   - period: after how many milliseconds with activity.
    ///   - endsWithCheckpoint: whether the main chain's newest record is one, as after an orderly stop. If not, one
    ///     is due at once: whatever ended the run before it took its last one.
    init(records: UInt64, period: Int64, reach: JournalReach, endsWithCheckpoint: Bool) {
        self.records = records
        self.period = period
        total = reach.total
        sequence = reach.main.head.sequence
        covered = endsWithCheckpoint ? reach.total : 0
        since = endsWithCheckpoint || reach.total == 0 ? nil : .min / 2
    }

    /// The chains have come that far.
    mutating func advance(to reach: JournalReach, now: Int64) {
        total = reach.total
        sequence = reach.main.head.sequence
        if uncovered > 0 { since = since ?? now }
    }

    /// One was made.
    /// - Parameter sequence: of its record, which follows; nil if there will be none.
    mutating func made(of reach: JournalReach, in sequence: UInt64?) {
        covered = reach.total
        own = sequence
        since = nil
    }

    /// Records that no checkpoint stands for.
    var uncovered: UInt64 {
        let ownRecord: UInt64 = own.map { $0 <= sequence } ?? false ? 1 : 0
        return total > covered + ownRecord ? total - covered - ownRecord : 0
    }

    /// When the next one is due; nil while nothing has happened.
    var due: Int64? {
        guard uncovered > 0, let since else { return nil }
        return uncovered >= records ? .min / 2 : since + period
    }
}
