/// The bounds of a journal.
public struct JournalSettings: Hashable, Sendable {
    /// Records kept in the main chain before the oldest go (A6). At least 1,000,000 on a gate.
    public var maximumRecords: Int
    /// Records kept of what anybody can cause without a credential.
    public var maximumUnprovenRecords: Int
    /// For how long unproven failures of one lane and reason are counted into one record. 0 writes each.
    public var failureWindowMilliseconds: Int64
    /// Records that may wait for a disk that refuses them, before further ones are refused and counted.
    public var maximumWaiting: Int
    /// How long a commit waits for another connection's lock before the try counts as failed.
    public var lockWaitMilliseconds: Int32
    /// After how long a disk that does not answer is told (`journal-slow`).
    public var slowMilliseconds: Int64
    /// How long `close` waits for a disk that does not answer.
    public var closeMilliseconds: Int64

    /// The defaults of a gate.
    public init(
        maximumRecords: Int = 1_000_000, maximumUnprovenRecords: Int = 100_000,
        failureWindowMilliseconds: Int64 = 60_000, maximumWaiting: Int = 4096, lockWaitMilliseconds: Int32 = 50,
        slowMilliseconds: Int64 = 1000, closeMilliseconds: Int64 = 5000
    ) {
        self.maximumRecords = maximumRecords
        self.maximumUnprovenRecords = maximumUnprovenRecords
        self.failureWindowMilliseconds = failureWindowMilliseconds
        self.maximumWaiting = maximumWaiting
        self.lockWaitMilliseconds = lockWaitMilliseconds
        self.slowMilliseconds = slowMilliseconds
        self.closeMilliseconds = closeMilliseconds
    }

    func maximum(of partition: JournalPartition) -> UInt64 {
        switch partition {
        case .main: UInt64(max(1, maximumRecords))
        case .unproven: UInt64(max(1, maximumUnprovenRecords))
        }
    }
}
