/// How far both chains reach at one moment: what a checkpoint speaks of.
public struct JournalReach: Hashable, Sendable, PerPartition {
    /// One chain.
    public struct Chain: Hashable, Sendable {
        /// The oldest record kept; one more than the head's where none is.
        public let first: UInt64
        /// The newest record.
        public let head: JournalHead
        /// How many records the ring keeps: it lets none go before it has more. Nil where nobody says.
        public var keeps: UInt64?
    }

    /// The main chain.
    public internal(set) var main: Chain
    /// The chain of what nobody proved.
    public internal(set) var unproven: Chain

    /// Records that were ever written.
    var total: UInt64 { main.head.sequence + unproven.head.sequence }
}

extension JournalChain {
    /// How far the chains reach, whose rings keep what the settings say.
    func reach(_ settings: JournalSettings) -> JournalReach {
        func chain(_ partition: JournalPartition) -> JournalReach.Chain {
            JournalReach.Chain(first: self[partition].anchor.sequence + 1, head: self[partition].head, keeps: settings.maximum(of: partition))
        }
        return JournalReach(main: chain(.main), unproven: chain(.unproven))
    }
}
