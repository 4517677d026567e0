/// Holds the checkpoints that stand in a journal against it, one after the other in the order of their records. Pure:
/// whoever walks along the chain says what the journal has at the places that a checkpoint names.
///
/// A chain that somebody wrote anew has hashes that fit, and checkpoints that do not.
public struct CheckpointReview: Sendable {
    /// A checkpoint that does not hold.
    public struct Finding: Hashable, Sendable {
        /// The record of the main chain that it stands in.
        public let sequence: UInt64
        /// What is wrong with it.
        public let fault: CheckpointFault
    }

    /// A gate of a site.
    public struct Owner: Hashable, Sendable {
        /// The site's identifier.
        public let site: String
        /// The gate's identifier.
        public let gate: String
    }

    /// Checkpoints in a row that say whose journal it is, and agree.
    public struct Part: Hashable, Sendable {
        /// Whose.
        public let owner: Owner
        /// The record with the first of them.
        public let first: UInt64
        /// The record with the last of them.
        public var last: UInt64
    }

    /// The most findings that are kept; the first one says what matters.
    public static let mostFindings = 20

    private let trust: CheckpointTrust
    /// Checkpoints whose signature holds.
    public private(set) var count = 0
    /// Those that do not hold, the first ones.
    public private(set) var findings: [Finding] = []
    /// The newest record of the main chain that a checkpoint vouches for; 0 if none does.
    public private(set) var covered: UInt64 = 0
    /// The same in the other chain.
    public private(set) var coveredUnproven: UInt64 = 0
    /// The most records of the main chain in a row that were written without a checkpoint that holds, after the first
    /// one that does.
    public private(set) var longestGap: UInt64 = 0
    /// Whose journal it is, as the checkpoints that hold say.
    public private(set) var owner: Owner?
    /// Whose each part of the journal is, as the checkpoints say whose signature holds; the first ones.
    public private(set) var parts: [Part] = []
    /// The record in which the newest checkpoint stands that holds.
    private var newest: UInt64?
    private var mainRing = RingReview(least: Self.leastKept)
    private var unprovenRing = RingReview(least: Self.leastKeptUnproven)
    /// What records say of files that were set aside, the first ones.
    public private(set) var continuations: [ChainContinuation] = []

    private var transcripts = TranscriptReview()

    private static let mostContinuations = 1000
    /// What a ring keeps at least (`audit.max-records`).
    static let leastKept: UInt64 = 10_000
    /// The same of what nobody proved.
    static let leastKeptUnproven: UInt64 = 100_000

    /// A review on this side of which nothing is known yet.
    public init(trust: CheckpointTrust) { self.trust = trust }

    /// Whether all that were examined hold.
    public var holds: Bool { findings.isEmpty }

    /// Examines the checkpoint in record `sequence` of the main chain.
    /// - Parameters:
    ///   - main: what the main chain has in the place of the head that the checkpoint names.
    ///   - unproven: the same in the other chain. For bytes that are no checkpoint, neither matters.
    public mutating func examine(_ bytes: [UInt8], at sequence: UInt64, main: ChainPlace, unproven: ChainPlace) {
        guard let signed = try? SignedCheckpoint(parsing: bytes) else { return note(.unreadable, at: sequence) }
        let said = Owner(site: signed.checkpoint.site, gate: signed.checkpoint.gate)
        let distrust = trust.fault(of: signed)
        if distrust == nil || distrust == .otherGate { belongs(to: said, at: sequence) }
        if let distrust { return note(distrust, at: sequence) }
        if let fault = fault(of: signed.checkpoint, at: sequence, main: main, unproven: unproven) { return note(fault, at: sequence) }
        guard owner == nil || owner == said else { return note(.otherGate, at: sequence) }
        owner = said
        if let newest, sequence > newest { longestGap = max(longestGap, sequence - newest - 1) }
        newest = sequence
        count += 1
        covered = signed.checkpoint.main.sequence
        coveredUnproven = signed.checkpoint.unproven.sequence
        mainRing.examine(signed.checkpoint.main, at: sequence)
        unprovenRing.examine(signed.checkpoint.unproven, at: sequence)
    }

    /// A record of the main chain tells of an exchange in which something was proved.
    /// - Parameter start: the first 8 bytes of its TH_4.
    public mutating func passed(transcript start: UInt64, at sequence: UInt64) { transcripts.passed(start, at: sequence) }

    /// A record of the main chain says that a file was set aside, and after which records the chains go on.
    public mutating func continued(_ continuation: ChainContinuation) {
        if continuations.count < Self.mostContinuations { continuations.append(continuation) }
    }

    /// Both chains have been walked along: nothing was let go that the rings had room for.
    /// - Parameters:
    ///   - main: what is kept; nil where only some of it was given.
    ///   - unproven: the same of the other chain.
    public mutating func finish(main: ChainResult?, unproven: ChainResult?) {
        for sequence in transcripts.repeated { note(.repeated, at: sequence) }
        for loss in mainRing.losses(in: main, continuedMain) + unprovenRing.losses(in: unproven, continuedUnproven) {
            note(.droppedEarly, at: loss.sequence)
        }
    }

    /// Why records are gone early since somebody outside took a checkpoint away: `droppedEarly`, or `setAside` where records
    /// say so of all that is gone; nil if none are.
    public func loss(since checkpoint: Checkpoint, main: ChainResult, unproven: ChainResult) -> CheckpointFault? {
        let losses = [
            mainRing.loss(since: checkpoint.main, in: main, continuedMain),
            unprovenRing.loss(since: checkpoint.unproven, in: unproven, continuedUnproven)]
        return losses.contains(.droppedEarly) ? .droppedEarly : losses.contains(.setAside) ? .setAside : nil
    }

    private var continuedMain: [UInt64] { continuations.map(\.main) }

    /// Older programs do not name those of what nobody proved: nil, any will do then.
    private var continuedUnproven: [UInt64]? {
        let named = continuations.compactMap(\.unproven)
        return named.count == continuations.count ? named : nil
    }

    private func fault(
        of checkpoint: Checkpoint, at sequence: UInt64, main: ChainPlace, unproven: ChainPlace
    ) -> CheckpointFault? {
        guard checkpoint.main.sequence < sequence else { return .misplaced }
        guard checkpoint.main.sequence >= covered, checkpoint.unproven.sequence >= coveredUnproven else { return .goesBack }
        for (extent, place) in [(checkpoint.main, main), (checkpoint.unproven, unproven)] {
            // The ring lets the oldest records go, and with them what the oldest checkpoints speak of.
            if let fault = Self.fault(of: extent, place), fault != .tooOld { return fault }
        }
        return nil
    }

    /// A gate that was given another name over the same journal signs on.
    private mutating func belongs(to owner: Owner, at sequence: UInt64) {
        if let last = parts.indices.last, parts[last].owner == owner {
            parts[last].last = sequence
        } else if parts.count < Self.mostFindings {
            parts.append(Part(owner: owner, first: sequence, last: sequence))
        }
    }

    private mutating func note(_ fault: CheckpointFault, at sequence: UInt64) {
        if findings.count < Self.mostFindings { findings.append(Finding(sequence: sequence, fault: fault)) }
    }

    /// Whether a chain still is the one whose end a checkpoint named.
    public static func fault(of extent: ChainExtent, _ place: ChainPlace) -> CheckpointFault? {
        switch place {
        case .hash(let hash): hash == extent.hash ? nil : .rewritten
        case .letGo: .tooOld
        case .beyond: .cut
        }
    }
}
