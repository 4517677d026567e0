import Conversations

/// What a check of evidence found.
public struct EvidenceReport: Hashable, Sendable {
    /// What the record says, nil if it cannot be read.
    public let record: RecordStatement?
    /// The evidence in it, nil if there is none that can be read.
    public let evidence: Evidence?
    /// The credential that was proved.
    public let credential: ShownCredential?
    /// The site that the gate's credential names.
    public let site: String?
    /// Every check that could be made, in the order of `EvidenceCheck.Name`.
    public let checks: [EvidenceCheck]
    /// What it would not prove even if all of them held.
    public let limits: [EvidenceLimit]

    /// Whether everything holds.
    public var holds: Bool { checks.allSatisfy(\.holds) }
}
