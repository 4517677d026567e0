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
