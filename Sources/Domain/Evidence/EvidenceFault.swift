/// Why a check of evidence does not hold. The raw value is the stable code (docs/evidence.md).
public enum EvidenceFault: String, Hashable, Sendable, CaseIterable {
    case recordChanged = "evidence-record-changed"
    case recordUnreadable = "evidence-record-unreadable"
    case otherRecord = "evidence-other-record"
    case noGrant = "evidence-no-grant"
    case unreadable = "evidence-unreadable"
    case attemptDiffers = "evidence-attempt-differs"
    case transcriptDiffers = "evidence-transcript-differs"
    case placeDiffers = "evidence-place-differs"
    case timeDiffers = "evidence-time-differs"
    case commandDiffers = "evidence-command-differs"
    case credentialDiffers = "evidence-credential-differs"
    case onlyMAC = "evidence-only-mac"
    case signatureWrong = "evidence-signature-wrong"
    case otherPhone = "evidence-other-phone"
    case issuerNotGiven = "evidence-issuer-not-given"
    case issuerUnknown = "evidence-issuer-unknown"
    case rightsDiffer = "evidence-rights-differ"
    case enrolmentNotGiven = "evidence-enrolment-not-given"
    case notIssued = "evidence-token-not-issued"
    case enrolmentDiffers = "evidence-enrolment-differs"
    case enrolmentLater = "evidence-enrolment-later"
    case revoked = "evidence-revoked"
    case revocationUndated = "evidence-revocation-undated"
    case timeZoneMissing = "evidence-time-zone-missing"
    case datesImpossible = "evidence-dates-impossible"
    case gateNotGiven = "evidence-gate-not-given"
    case gateUnknown = "evidence-gate-unknown"
    case gateDropped = "evidence-gate-dropped"
    case gateSignatureWrong = "evidence-gate-signature-wrong"
    case onlyPhone = "evidence-only-phone"
    case outcomeDiffers = "evidence-outcome-differs"
    case outcomeSignatureWrong = "evidence-outcome-signature-wrong"
    case auditKeyNotGiven = "evidence-audit-key-not-given"
    case auditKeyUnknown = "evidence-audit-key-unknown"
    case oldFormat = "evidence-old-format"

    /// Stable code.
    public var code: String { rawValue }

    /// Whether nothing is wrong, but something is missing without which nobody can say.
    public var isOpen: Bool {
        switch self {
        case .issuerNotGiven, .enrolmentNotGiven, .enrolmentLater, .revocationUndated, .timeZoneMissing, .gateNotGiven, .auditKeyNotGiven,
             .oldFormat:
            true
        case .recordChanged, .recordUnreadable, .otherRecord, .noGrant, .unreadable, .attemptDiffers, .transcriptDiffers,
             .placeDiffers, .timeDiffers, .commandDiffers, .credentialDiffers, .onlyMAC, .signatureWrong, .otherPhone,
             .issuerUnknown, .rightsDiffer, .notIssued, .enrolmentDiffers, .revoked, .datesImpossible, .gateUnknown, .gateDropped,
             .gateSignatureWrong, .onlyPhone, .outcomeDiffers, .outcomeSignatureWrong, .auditKeyUnknown:
            false
        }
    }
}
