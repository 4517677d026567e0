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
