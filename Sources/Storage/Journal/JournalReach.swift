/// How far both chains reach at one moment: what a checkpoint speaks of.
public struct JournalReach: Hashable, Sendable, PerPartition {
    /// One chain.
    public struct Chain: Hashable, Sendable {
        /// The oldest record kept; one more than the head's where none is.
        public let first: UInt64
        /// The newest record.
        public let head: JournalHead
    }

    /// The main chain.
    public internal(set) var main: Chain
    /// The chain of what nobody proved.
    public internal(set) var unproven: Chain

    /// Records that were ever written.
    var total: UInt64 { main.head.sequence + unproven.head.sequence }
}

extension JournalChain {
    var reach: JournalReach {
        JournalReach(main: JournalReach.Chain(first: main.anchor.sequence + 1, head: main.head),
                     unproven: JournalReach.Chain(first: unproven.anchor.sequence + 1, head: unproven.head))
    }
}
