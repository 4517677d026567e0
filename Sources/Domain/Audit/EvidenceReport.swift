import Conversations

/// What a check of evidence found.
public struct EvidenceReport: Hashable, Sendable {
    /// What it comes to.
    public enum Verdict: String, Hashable, Sendable {
        /// Everything holds.
        case holds
        /// Everything holds but one thing: the gate has not signed that it granted.
        case onlyPhone = "only-phone"
        /// Something does not hold, or could not be checked.
        case fails
    }

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
    /// Who can have made all of it all the same, in words; nil if there is no evidence that can be read.
    public let remainder: String?

    /// Whether everything holds.
    public var holds: Bool { verdict == .holds }

    /// What it comes to.
    public var verdict: Verdict {
        let faults = checks.compactMap(\.fault)
        return faults.isEmpty ? .holds : faults == [.onlyPhone] ? .onlyPhone : .fails
    }

    /// The verdict in words. Whoever reads no further has read what matters.
    public var headline: String {
        let faults = checks.compactMap(\.fault), open = faults.filter(\.isOpen).count
        switch verdict {
        case .holds:
            return "The gate \(Quotation.of(evidence?.gate?.context?.gateIdentifier)) granted \(Quotation.of(record?.command)) to \(Quotation.of(record?.subject)) "
                + "at lane \(Quotation.of(record?.lane)), by its clock on \(EvidenceExamination.words(record?.seconds ?? 0)): all \(checks.count) checks hold."
        case .onlyPhone:
            return "\(EvidenceFault.onlyPhone.code): that the gate granted is not proved. The other \(checks.count - 1) checks hold: "
                + "they are the word of whoever has the key of \(Quotation.of(record?.subject))."
        case .fails:
            let codes = faults.map(\.code).joined(separator: ", ")
            return "The evidence does not hold: \(faults.count - open) of \(checks.count) checks failed, \(open) could not be made (\(codes))."
        }
    }
}
