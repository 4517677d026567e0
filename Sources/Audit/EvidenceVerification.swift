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
        return EvidenceReport(
            record: record, evidence: evidence, credential: credential, site: examination.gate?.site,
            checks: examination.checks, limits: limits(evidence, credential, trust))
    }

    /// The key that is asked about where the site data, and no token, say whose it is; nil where nobody need be asked.
    public static func enrolledKey(in file: EvidenceFile) -> [UInt8]? {
        guard let record = RecordStatement(parsing: file.record), let evidence = Evidence(parsing: record.evidence),
              let credential = ShownCredential(of: evidence), credential.token == nil else { return nil }
        return credential.key.thumbprint
    }

    /// The site that the gate's credential names.
    public static func site(in file: EvidenceFile) -> String? {
        RecordStatement(parsing: file.record).flatMap { Evidence(parsing: $0.evidence) }?.gate.flatMap { ShownGate($0.credential) }?.site
    }

    private static func unreadable(_ file: EvidenceFile) -> EvidenceReport {
        let check = EvidenceCheck(.record, .recordUnreadable, "The record is none of a journal that this program knows.")
        return EvidenceReport(record: nil, evidence: nil, credential: nil, site: nil, checks: [check], limits: [])
    }

    /// Only grants have evidence.
    private static func withoutEvidence(_ file: EvidenceFile, _ record: RecordStatement, _ trust: EvidenceTrust) -> EvidenceReport {
        let fault: EvidenceFault = record.evidence.isEmpty ? .noGrant : .unreadable
        let sentence = record.evidence.isEmpty
            ? "The record tells of no grant, and only grants have evidence."
            : "The record's evidence cannot be read."
        let checks = [EvidenceExamination.checkRecord(file, record)] + EvidenceExamination.checkKept(file, trust)
            + [EvidenceCheck(.grant, fault, sentence)]
        return EvidenceReport(record: record, evidence: nil, credential: nil, site: nil, checks: checks, limits: [])
    }

    /// Whether issuer or site say that the key is released only after user verification (V6).
    private static func isAttested(_ credential: ShownCredential, _ trust: EvidenceTrust) -> Bool {
        if let token = credential.token { return token.userVerification }
        return trust.enrolled.contains { $0.key == credential.key && $0.userVerification }
    }

    private static func limits(_ evidence: Evidence, _ credential: ShownCredential, _ trust: EvidenceTrust) -> [EvidenceLimit] {
        EvidenceLimit.allCases.filter { limit in
            switch limit {
            case .exchange: evidence.gate?.isSignature != true
            case .presence, .passage, .time, .gate: true
            case .journal: trust.keptHash == nil
            case .issuer: trust.phoneKey == nil && credential.token != nil
            case .person: trust.phoneKey == nil
            case .verification: !isAttested(credential, trust)
            }
        }
    }
}
