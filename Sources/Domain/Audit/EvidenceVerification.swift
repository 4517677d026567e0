import Conversations

/// Checks exported evidence without the gate: pure, total over whatever bytes it is given, with no clock and no key
/// but those it is told to believe.
public enum EvidenceVerification {
    /// Puts every question to the file.
    public static func verify(_ file: EvidenceFile, against trust: EvidenceTrust) -> EvidenceReport {
        guard let record = RecordStatement(parsing: file.record) else { return unreadable(file) }
        guard let evidence = Evidence(parsing: record.evidence), let credential = ShownCredential(of: evidence) else {
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
