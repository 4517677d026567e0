import Cryptography

/// What the writer must know to append: the ends of both chains and the attempts without outcome. A value,
/// so that a commit works on a copy and a failed commit leaves no trace.
struct JournalChain: Equatable, PerPartition {
    /// One partition's chain.
    struct End: Equatable {
        /// The newest record.
        var head: JournalHead
        /// The newest record that the ring has let go; the oldest kept follows from it.
        var anchor: JournalHead

        static let none = End(head: .none, anchor: .none)

        /// Records kept.
        var count: UInt64 { head.sequence - anchor.sequence }
    }

    var main = End.none
    var unproven = End.none
    /// Bodies of the attempts that have no outcome yet, by sequence.
    var openAttempts: [UInt64: [UInt8]] = [:]
    /// How much of the main chain somebody outside has.
    var collection = JournalCollection.none

    /// Records of the main chain that are kept and that nobody outside has.
    var uncollected: UInt64 { main.head.sequence - min(max(main.anchor.sequence, collection.through), main.head.sequence) }

    /// The hash of a record that follows `previous`.
    static func hash(after previous: [UInt8], body: [UInt8]) -> [UInt8] {
        SHA256.hash(previous + body)
    }

    /// Chains that go on from these heads in a new file.
    static func continuing(_ heads: JournalHeads) -> JournalChain {
        JournalChain(
            main: End(head: heads.main, anchor: heads.main),
            unproven: End(head: heads.unproven, anchor: heads.unproven))
    }

    /// The same chains in a file that holds none of their records.
    var withoutRecords: JournalChain {
        var chain = self
        for partition in JournalPartition.allCases { chain[partition].anchor = chain[partition].head }
        return chain
    }

    var heads: JournalHeads { JournalHeads(main: main.head, unproven: unproven.head) }
}
