/// Holds what one chain has let go against what the checkpoints say that it kept. A ring lets nothing go before it is full,
/// and is full afterwards: where fewer records are left than it keeps, somebody took the oldest out and wrote an anchor. Pure.
struct RingReview {
    /// Records that went although the ring had room.
    struct Loss {
        /// The record of the main chain with the checkpoint that shows it.
        let sequence: UInt64
        /// The oldest record that was left.
        let first: UInt64
        /// Whether a checkpoint before stands in the same file. One that was set aside takes its checkpoints along.
        let isAfterCheckpoint: Bool
    }

    /// What a ring keeps at least, where no checkpoint says how much: the least that a gate can be set to.
    private let least: UInt64
    private var newest: (extent: ChainExtent, sequence: UInt64)?
    /// The fewest records that a ring kept, of all that are known.
    private var fewest: UInt64?
    private var losses: [Loss] = []

    init(least: UInt64) { self.least = least }

    /// A checkpoint that holds, in record `sequence` of the main chain.
    mutating func examine(_ extent: ChainExtent, at sequence: UInt64) {
        let keeps = extent.keeps ?? least
        // Before the first checkpoint that is left the ring may have kept less than now, but not less than a gate can be set to.
        let before = newest.map { $0.extent.keeps ?? least } ?? (keeps < least ? 0 : least)
        if extent.first > newest?.extent.first ?? 1, Self.count(extent.first, extent.sequence) < min(before, keeps) {
            note(Loss(sequence: sequence, first: extent.first, isAfterCheckpoint: newest != nil))
        }
        newest = (extent, sequence)
        fewest = min(fewest ?? .max, keeps)
    }

    /// Records that went early, once the chain is known to its end.
    /// - Parameters:
    ///   - chain: what is kept; nil where only some of it was given.
    ///   - continuations: after which records the chain goes on in a new file; nil where that may be any.
    func losses(in chain: ChainResult?, _ continuations: [UInt64]?) -> [Loss] {
        var losses = losses
        if let chain, chain.first > newest?.extent.first ?? 1, Self.count(chain.first, chain.last) < newest?.extent.keeps ?? least {
            losses.append(Loss(sequence: newest?.sequence ?? chain.first, first: chain.first, isAfterCheckpoint: newest != nil))
        }
        return losses.filter { $0.isAfterCheckpoint || !Self.isContinued($0.first, continuations) }
    }

    /// Why records are gone early since somebody outside took a checkpoint away: dropped, or with a file that was set aside,
    /// as a record says that anybody could have written. Nil if none are.
    func loss(since extent: ChainExtent, in chain: ChainResult, _ continuations: [UInt64]?) -> CheckpointFault? {
        let keeps = min(extent.keeps ?? least, fewest ?? .max)
        guard chain.first > extent.first, Self.count(chain.first, chain.last) < keeps else { return nil }
        let isExcused = extent.sequence < chain.first && Self.isContinued(chain.first, continuations)
        return isExcused ? .setAside : .droppedEarly
    }

    private static func isContinued(_ first: UInt64, _ continuations: [UInt64]?) -> Bool {
        guard let continuations else { return true }
        return continuations.contains(first - 1)
    }

    private mutating func note(_ loss: Loss) {
        if losses.count < CheckpointReview.mostFindings { losses.append(loss) }
    }

    private static func count(_ first: UInt64, _ last: UInt64) -> UInt64 { last >= first ? last - first + 1 : 0 }
}

/// A chain of a journal that was walked along and is whole.
public struct ChainResult: Hashable, Sendable {
    /// The oldest record kept; one more than `last` where none is.
    public let first: UInt64
    /// The newest record.
    public let last: UInt64
    /// Its hash.
    public let hash: [UInt8]

    /// A result.
    public init(first: UInt64, last: UInt64, hash: [UInt8]) {
        self.first = first
        self.last = last
        self.hash = hash
    }
}

/// How far a chain of the journal reaches, as a checkpoint says it.
public struct ChainExtent: Hashable, Sendable {
    /// The oldest record kept; one more than `sequence` where none is.
    public let first: UInt64
    /// The newest record; 0 before the first.
    public let sequence: UInt64
    /// Its hash, 32 bytes; all zero before the first.
    public let hash: [UInt8]
    /// How many records the ring keeps: it lets none go before it has more. Nil in checkpoints of format 1.
    public let keeps: UInt64?

    /// The length of a hash, in bytes.
    public static let hashLength = 32

    /// An extent.
    public init(first: UInt64, sequence: UInt64, hash: [UInt8], keeps: UInt64? = nil) {
        self.first = first
        self.sequence = sequence
        self.hash = hash
        self.keeps = keeps
    }
}
