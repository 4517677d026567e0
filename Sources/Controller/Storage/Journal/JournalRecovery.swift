/// What opening the journal had to fix. Each of it is also a record in the journal.
public struct JournalRecovery: Hashable, Sendable {
    /// Attempts without an outcome (the power went): closed as `outcome-unknown`. The newest of each reader,
    /// which may have been a grant, is in the main chain; the others are counted in the unproven one.
    public var closedAttempts: Int
    /// The old file, if it was damaged or missing.
    public var setAside: JournalSetAside?
    /// The head that was known to be durable, if the file ends before it: records were cut off or an
    /// older copy was put in place.
    public var missingAfter: JournalHead?
    /// There was no journal, nor anything that remembers one.
    public var isNew = false
    /// The schema the file had, if an older program wrote it and it was brought up to date. Nothing to fix.
    public var upgradedFrom: Int?
    /// The state that the records have led to; empty where the file was set aside.
    public var state: JournalState = .none

    /// Whether there was nothing to fix.
    public var isClean: Bool { closedAttempts == 0 && setAside == nil && missingAfter == nil && !isStateForgotten }

    /// Whether state was lost: who is inside, and what operators had asked of lanes.
    public var isStateForgotten: Bool { setAside != nil || state.unreadable > 0 }
}

/// The end of a hash chain: the newest record's place and hash.
public struct JournalHead: Hashable, Sendable {
    /// The record's sequence number; 0 before the first record.
    public let sequence: UInt64
    /// 32 bytes: SHA-256(previous hash || deterministic CBOR of the record); all zero before the first.
    public let hash: [UInt8]

    /// A head.
    public init(sequence: UInt64, hash: [UInt8]) {
        self.sequence = sequence
        self.hash = hash
    }

    /// The head of a chain that has no record yet.
    public static let none = JournalHead(sequence: 0, hash: [UInt8](repeating: 0, count: 32))
}

/// A stretch of a walk along a chain.
public struct JournalWalk: Hashable, Sendable {
    /// What was found on the way.
    public let found: JournalVerification
    /// Whether the walk has come to the durable head, or to something broken.
    public let isAtEnd: Bool
    /// What the first record of the stretch follows from.
    public let start: JournalHead
    /// The checkpoints on the way.
    public let checkpoints: [KeptCheckpoint]
    /// Files that were set aside before these records.
    public let continuations: [JournalContinuation]
    /// The exchanges of which these records tell.
    public let transcripts: [KeptTranscript]
}

/// What a walk along a chain found.
public enum JournalVerification: Hashable, Sendable {
    /// Every record kept follows from the one before it, from `first` to `head`.
    case intact(first: UInt64, head: JournalHead)
    /// The first record that does not: it was changed, is missing, or does not say what its columns say.
    case broken(sequence: UInt64, why: String)
}

/// After which records the chains go on in a new file, for the one before was set aside: what comes before them went with it.
public struct JournalContinuation: Hashable, Sendable {
    /// The record that says so.
    public let sequence: UInt64
    /// When, in UNIX milliseconds by the gate's clock.
    public let milliseconds: Int64
    /// The newest record of the main chain before.
    public let main: UInt64
    /// The same in the other chain; nil where the record does not say, as older programs wrote it.
    public let unproven: UInt64?
}
