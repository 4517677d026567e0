/// A journal held against a checkpoint that somebody kept elsewhere: what was cut off or written anew since cannot hide
/// from it.
public struct OutsideComparison: Hashable, Sendable {
    /// The checkpoint.
    public let signed: SignedCheckpoint
    /// What is wrong; nil: the journal still has what it named.
    public let fault: CheckpointFault?
    /// Whether the chain of what nobody proved has let go what it named.
    public let isUnprovenTooOld: Bool

    /// - Parameters:
    ///   - main: what the main chain has in the place of the head that the checkpoint names.
    ///   - unproven: the same in the other chain.
    ///   - loss: why records are gone that it says were kept, and that the ring had room for (`CheckpointReview.loss`).
    public init(_ signed: SignedCheckpoint, trust: CheckpointTrust, main: ChainPlace, unproven: ChainPlace, loss: CheckpointFault? = nil) {
        self.signed = signed
        let found = CheckpointReview.fault(of: signed.checkpoint.main, main)
        let mainFault = found == .tooOld && loss == .setAside ? loss : found
        let other = CheckpointReview.fault(of: signed.checkpoint.unproven, unproven)
        isUnprovenTooOld = other == .tooOld
        fault = trust.fault(of: signed) ?? mainFault ?? (isUnprovenTooOld ? nil : other) ?? loss
    }
}

/// What a journal has at one place of a chain.
public enum ChainPlace: Hashable, Sendable {
    /// A record with this hash; or it is the one that the oldest record kept follows from.
    case hash([UInt8])
    /// The ring has let it go.
    case letGo
    /// The chain ends before it.
    case beyond
}
