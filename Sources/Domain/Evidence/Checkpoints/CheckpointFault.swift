/// Why a checkpoint and a journal do not go together. The raw value is the stable code (docs/journal.md).
public enum CheckpointFault: String, Hashable, Sendable, CaseIterable {
    /// The bytes are no checkpoint.
    case unreadable = "checkpoint-malformed"
    /// None of the keys that are believed is said to have signed.
    case keyUnknown = "checkpoint-key-unknown"
    /// The key that is named did not sign this.
    case signatureWrong = "checkpoint-signature-wrong"
    /// It is another gate's, or another site's.
    case otherGate = "checkpoint-other-gate"
    /// The journal has another record in the place of the head.
    case rewritten = "checkpoint-head-differs"
    /// The journal ends before the head.
    case cut = "checkpoint-tail-cut"
    /// It stands in the journal before the records that it speaks of.
    case misplaced = "checkpoint-misplaced"
    /// It speaks of less than the one before it.
    case goesBack = "checkpoint-goes-back"
    /// Records that it says were kept are gone, and the ring had room for them.
    case droppedEarly = "checkpoint-first-differs"
    /// They are gone, and a record says that they went with a file that was set aside: nothing here covers them.
    case setAside = "checkpoint-set-aside"
    /// The record tells of an exchange of which an earlier one tells.
    case repeated = "journal-transcript-twice"
    /// The ring has let the record go that it speaks of: nothing can be compared.
    case tooOld = "checkpoint-too-old"

    /// Stable code.
    public var code: String { rawValue }
}
