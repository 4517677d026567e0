import Cryptography
import Encoding

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

/// The heads of both chains, as the small file `journal.head` keeps them beside the database. It is
/// written after every commit without waiting for the disk, and synced at the end: if `journal.db` is
/// damaged or gone, a new one continues from here, and if it ends before this, records were cut off.
struct JournalHeads: Equatable, Sendable, PerPartition {
    var main: JournalHead
    var unproven: JournalHead

    static let none = JournalHeads(main: .none, unproven: .none)

    var encoded: [UInt8] {
        CBOR.array([
            .unsigned(main.sequence), .bytes(main.hash), .unsigned(unproven.sequence), .bytes(unproven.hash)
        ]).encoded
    }

    init(main: JournalHead, unproven: JournalHead) {
        self.main = main
        self.unproven = unproven
    }

    init?(_ bytes: [UInt8]) {
        guard let items = (try? CBOR.decode(bytes))?.array, items.count == 4,
              let mainSequence = items[0].unsignedInteger, let mainHash = items[1].bytes, mainHash.count == 32,
              let unprovenSequence = items[2].unsignedInteger, let unprovenHash = items[3].bytes, unprovenHash.count == 32
        else { return nil }
        main = JournalHead(sequence: mainSequence, hash: mainHash)
        unproven = JournalHead(sequence: unprovenSequence, hash: unprovenHash)
    }
}

/// What there is once for each chain of the journal.
protocol PerPartition {
    associatedtype Part

    var main: Part { get set }
    var unproven: Part { get set }
}

extension PerPartition {
    subscript(partition: JournalPartition) -> Part {
        get {
            switch partition {
            case .main: main
            case .unproven: unproven
            }
        }
        set {
            switch partition {
            case .main: main = newValue
            case .unproven: unproven = newValue
            }
        }
    }
}
