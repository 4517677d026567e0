import PhoneProtocol

/// Checks exported evidence without the gate: pure, total over whatever bytes it is given, with no clock and no key
/// but those it is told to believe.
public enum EvidenceVerification {
    /// Puts every question to the file.
    public static func verify(_ file: EvidenceFile, against trust: EvidenceTrust) -> EvidenceReport {
        guard let record = RecordStatement(parsing: file.record) else { return unreadable(file) }
        guard let evidence = TapEvidence(parsing: record.evidence), let credential = ShownCredential(of: evidence) else {
            return withoutEvidence(file, record, trust)
        }
        let examination = EvidenceExamination(file: file, record: record, evidence: evidence, credential: credential, trust: trust)
        let checks = examination.checks
        return EvidenceReport(
            record: record, evidence: evidence, credential: credential, site: examination.gate?.site, checks: checks,
            limits: limits(examination, checks), remainder: examination.remainder)
    }

    private static func unreadable(_ file: EvidenceFile) -> EvidenceReport {
        let check = EvidenceCheck(.record, .recordUnreadable, "The record is none of a journal that this program knows.")
        return EvidenceReport(record: nil, evidence: nil, credential: nil, site: nil, checks: [check], limits: [], remainder: nil)
    }

    /// Only grants have evidence.
    private static func withoutEvidence(_ file: EvidenceFile, _ record: RecordStatement, _ trust: EvidenceTrust) -> EvidenceReport {
        let fault: EvidenceFault = record.evidence.isEmpty ? .noGrant : .unreadable
        let sentence = record.evidence.isEmpty
            ? "The record tells of no grant, and only grants have evidence."
            : "The record's evidence cannot be read."
        let checks = [EvidenceExamination.checkRecord(file, record)] + EvidenceExamination.checkKept(file, trust)
            + [EvidenceCheck(.grant, fault, sentence)]
        return EvidenceReport(record: record, evidence: nil, credential: nil, site: nil, checks: checks, limits: [], remainder: nil)
    }

    /// Whether issuer or site say that the key is released only after user verification (V6).
    private static func isAttested(_ examination: EvidenceExamination) -> Bool {
        examination.credential.token?.userVerification ?? examination.enrolment?.key.userVerification ?? false
    }

    private static func limits(_ examination: EvidenceExamination, _ checks: [EvidenceCheck]) -> [EvidenceLimit] {
        let trust = examination.trust
        return EvidenceLimit.allCases.filter { limit in
            switch limit {
            case .exchange: examination.evidence.gate?.isSignature != true
            case .presence, .passage, .time: true
            case .gate: !checks.contains { $0.name == .outcome && $0.holds }
            case .journal: trust.keptHash == nil
            case .issuer: trust.phoneKey == nil && examination.credential.token != nil
            case .person: trust.phoneKey == nil
            case .verification: !isAttested(examination)
            case .revocation: !checks.contains { $0.name == .revocation }
            }
        }
    }
}

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
    public let evidence: TapEvidence?
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

/// What evidence does not prove, however good it is. The raw value is a stable name.
public enum EvidenceLimit: String, Hashable, Sendable, CaseIterable {
    case exchange, presence, passage, time, gate, journal, issuer, person, verification, revocation

    /// One English sentence.
    public var sentence: String {
        switch self {
        case .exchange:
            "That a gate took part in the exchange: it did not sign there, so that whoever has the phone's key can have made it alone."
        case .presence:
            "That the phone was at the gate: its key answered, and what is said between the two can be carried over any distance."
        case .passage:
            "That the relay moved or that anybody passed: the record was written before, and nothing sees people."
        case .time:
            "The time beyond the word of the gate's clock: the phone signed what the gate told it."
        case .gate:
            "Which gate of its group it was: all gates of a group have one key, and only the signature of a gate's own audit key tells them apart."
        case .journal:
            "That this record stood in the journal then, against the gate's owner: only a hash that somebody else kept then shows that (--head)."
        case .issuer:
            "Anything against the issuer: whoever has its key can make a token, in anybody's name, for a key of their own (--phone-key)."
        case .person:
            "Whose hand held the phone: that the key is a person's is what the issuer or the site says."
        case .verification:
            "That somebody unlocked the phone: the credential does not say that its key needs it."
        case .revocation:
            "That nobody had taken the credential back: neither a publication of then nor an authority's folder was given."
        }
    }
}
