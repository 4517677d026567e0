import Credentials
import Vocabulary

/// How much of the main chain has been collected by somebody outside (A6).
public struct JournalCollection: Hashable, Sendable {
    /// The newest record that somebody said they have; 0 if nobody did.
    public var through: UInt64
    /// Records that the ring let go since then before anybody had them.
    public var overwritten: UInt64

    /// Nothing was collected yet.
    public static let none = JournalCollection(through: 0, overwritten: 0)

    /// The ring lets records go.
    mutating func lose(after anchor: UInt64, through newAnchor: UInt64) {
        let kept = max(anchor, through)
        if newAnchor > kept { overwritten += newAnchor - kept }
    }
}

extension JournalEntry {
    /// The reason of the record that records were collected.
    public static let collectedReason = "journal-collected"

    /// The record that somebody has everything up to `sequence`. The journal counts from there once it is durable.
    public init(collectedThrough sequence: UInt64, at time: JournalTime) {
        self.init(kind: .journal, time: time, reason: Self.collectedReason, detail: ["through": .unsigned(sequence)])
    }

    /// Up to which record everything was collected, in the record that says so.
    var collectedThrough: UInt64? {
        kind == .journal && reason == Self.collectedReason ? detail["through"]?.unsignedInteger : nil
    }
}

/// When something happened, as the composition root's clock told it.
public struct JournalTime: Hashable, Sendable {
    /// UNIX time in milliseconds.
    public var wallMilliseconds: Int64
    /// How far `wallMilliseconds` may be trusted.
    public var trust: ClockTrust
    /// Milliseconds of the monotonic clock; comparable within one boot.
    public var monotonicMilliseconds: Int64
    /// What the machine's clock said, UNIX milliseconds, where that is not what counts. Nobody vouches for it; it tells records apart that all have
    /// the time of a floor.
    public var machineMilliseconds: Int64?

    /// A time with its trust.
    public init(wallMilliseconds: Int64, trust: ClockTrust, monotonicMilliseconds: Int64, machineMilliseconds: Int64? = nil) {
        self.wallMilliseconds = wallMilliseconds
        self.trust = trust
        self.monotonicMilliseconds = monotonicMilliseconds
        self.machineMilliseconds = machineMilliseconds
    }
}

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

/// The two chains of a journal. Each has its own gapless sequence, hash chain and ring, so that no
/// amount of the one can push out the other.
public enum JournalPartition: String, Sendable, Hashable, CaseIterable {
    /// What was proven and what the gate itself did: outcomes after a phone's proof, inputs, modes,
    /// configuration, trust, service. An outcome carries its attempt inside.
    case main
    /// What anybody can cause without a credential: attempts, and failures before a proof, which are
    /// counted where they repeat.
    case unproven
}

/// The state of a journal at one moment.
public struct JournalStatus: Hashable, Sendable {
    /// The head of the main chain, durable.
    public var head: JournalHead
    /// The head of the chain of unproven failures and attempts, durable.
    public var unprovenHead: JournalHead
    /// The oldest main record still kept.
    public var firstSequence: UInt64
    /// Records waiting for the disk.
    public var waiting: Int
    /// Why the last try failed, or that one hangs now; nil if all is well.
    public var failure: StorageError?
    /// Records refused since start because too many were waiting.
    public var lost: Int
    /// The newest damaged file since start, kept under another name.
    public var setAside: JournalSetAside?

    /// How much of the main chain somebody outside has.
    public var collection: JournalCollection
    /// Main records that are kept and that nobody outside has.
    public var uncollected: UInt64
    /// Whether it is time to collect.
    public var collectionState: JournalCollectionState

    /// Main records kept.
    public var count: Int { Int(clamping: head.sequence + 1 - firstSequence) }
}
