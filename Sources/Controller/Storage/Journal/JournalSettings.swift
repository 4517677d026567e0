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
    /// Whether somebody collects the records (`audit.collect`): what the ring lets go uncollected is counted then.
    public var collects: Bool
    /// Whether a lane grants nothing while the whole ring is uncollected (`audit.on-full = "deny"`). What still happens
    /// has another tenth of the ring then, before it takes the place of what nobody has.
    public var keepsUncollected: Bool
    /// After how many records of both chains a checkpoint is signed.
    public var checkpointRecords: UInt64
    /// How long after a record one is signed at the latest.
    public var checkpointMilliseconds: Int64

    /// The defaults of a gate.
    public init(
        maximumRecords: Int = 1_000_000, maximumUnprovenRecords: Int = 100_000,
        failureWindowMilliseconds: Int64 = 60_000, maximumWaiting: Int = 4096, lockWaitMilliseconds: Int32 = 50,
        slowMilliseconds: Int64 = 1000, closeMilliseconds: Int64 = 5000, collects: Bool = false, keepsUncollected: Bool = false,
        checkpointRecords: UInt64 = 1000, checkpointMilliseconds: Int64 = 600_000
    ) {
        self.maximumRecords = maximumRecords
        self.maximumUnprovenRecords = maximumUnprovenRecords
        self.failureWindowMilliseconds = failureWindowMilliseconds
        self.maximumWaiting = maximumWaiting
        self.lockWaitMilliseconds = lockWaitMilliseconds
        self.slowMilliseconds = slowMilliseconds
        self.closeMilliseconds = closeMilliseconds
        self.collects = collects
        self.keepsUncollected = keepsUncollected
        self.checkpointRecords = checkpointRecords
        self.checkpointMilliseconds = checkpointMilliseconds
    }

    func maximum(of partition: JournalPartition) -> UInt64 {
        switch partition {
        case .main: UInt64(max(1, maximumRecords))
        case .unproven: UInt64(max(1, maximumUnprovenRecords))
        }
    }

    /// How many records a chain may keep now.
    func bound(of partition: JournalPartition, in chain: JournalChain) -> UInt64 {
        let most = maximum(of: partition)
        guard partition == .main, collects, keepsUncollected else { return most }
        return min(max(most, chain.uncollected), most + most / 10)
    }

    /// Whether a ring is about to let records go, as where it was made smaller.
    func letsGo(of chain: JournalChain) -> Bool {
        JournalPartition.allCases.contains { chain[$0].count > bound(of: $0, in: chain) }
    }

    func collectionState(of chain: JournalChain) -> JournalCollectionState {
        collects ? JournalCollectionState(uncollected: chain.uncollected, of: maximum(of: .main)) : .inOrder
    }
}
