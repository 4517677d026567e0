import Conversations
import Credentials
import Encoding

/// One file under examination, everything in it read. The checks are in the files beside this one.
struct EvidenceExamination {
    let file: EvidenceFile
    let record: RecordStatement
    let evidence: Evidence
    let credential: ShownCredential
    let trust: EvidenceTrust
    /// Who the gate said it is; nil in evidence of format 1, or if it is none of this profile.
    let gate: ShownGate?
    /// What the gate told the phone; nil for the same reasons.
    let context: GateContext?
    let request: PhoneRequest?

    init(file: EvidenceFile, record: RecordStatement, evidence: Evidence, credential: ShownCredential, trust: EvidenceTrust) {
        self.file = file
        self.record = record
        self.evidence = evidence
        self.credential = credential
        self.trust = trust
        gate = evidence.gate.flatMap { ShownGate($0.credential) }
        context = evidence.gate?.context
        request = evidence.request
    }

    var checks: [EvidenceCheck] {
        // One after the other: Swift 6.0.3 takes too long over one expression.
        var checks = [Self.checkRecord(file, record)]
        checks += Self.checkKept(file, trust)
        checks += [checkGrant, checkAttempt, checkTranscript, checkPlace, checkTime, checkCommand, checkCredential, checkPhone]
        checks += checkPerson
        checks.append(checkIssuer)
        checks += checkRights
        checks += checkRevocation
        checks.append(checkGate)
        checks += checkGateSignature
        checks += [checkDates, checkOutcome]
        return checks
    }

    /// Texts are compared byte by byte: Swift would take some different ones for the same.
    static func same(_ one: String?, _ other: String?) -> Bool {
        switch (one, other) {
        case (.some(let one), .some(let other)): one.utf8.elementsEqual(other.utf8)
        case (.none, .none): true
        case (.some, .none), (.none, .some): false
        }
    }
}
