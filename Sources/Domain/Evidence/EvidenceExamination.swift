import Credentials
import Encoding
import PhoneProtocol

/// One file under examination, everything in it read. The checks are in the files beside this one.
struct EvidenceExamination {
    let file: EvidenceFile
    let record: RecordStatement
    let evidence: TapEvidence
    let credential: ShownCredential
    let trust: EvidenceTrust
    /// Who the gate said it is; nil in evidence of format 1, or if it is none of this profile.
    let gate: ShownGate?
    /// What the gate told the phone; nil for the same reasons.
    let context: GateContext?
    let request: PhoneRequest?

    init(file: EvidenceFile, record: RecordStatement, evidence: TapEvidence, credential: ShownCredential, trust: EvidenceTrust) {
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

/// The gate: who it was, and whether it signed.
extension EvidenceExamination {
    var checkGate: EvidenceCheck {
        guard evidence.gate != nil else {
            return EvidenceCheck(.gate, .oldFormat, "The record is of an older format: it does not keep who the gate was.")
        }
        guard let gate else { return EvidenceCheck(.gate, .gateUnknown, "The gate showed no credential of this profile.") }
        guard !trust.gates.isEmpty else {
            return EvidenceCheck(.gate, .gateNotGiven, "Nothing was given to know the site's gates by.")
        }
        guard gate.isVouchedFor(by: trust.gates, at: record.seconds) else {
            return EvidenceCheck(.gate, .gateUnknown, "The gate's credential is none of the site that was given.")
        }
        if let end = trust.gateEnds[gate.key], end <= record.seconds {
            return EvidenceCheck(.gate, .gateDropped, "The gate's key had been taken from the phones before the time of the record.")
        }
        return EvidenceCheck(.gate, "The gate's key is one of the site \(Quotation.of(gate.site)).")
    }

    /// Only where the gate signs: the MAC of methods 1 and 3 convinced the phone alone, and nothing is claimed of it.
    var checkGateSignature: [EvidenceCheck] {
        guard let statement = evidence.gate, statement.isSignature else { return [] }
        guard let gate, statement.isSigned(by: gate.key) else {
            return [EvidenceCheck(.gateSignature, .gateSignatureWrong, "The gate's signature is not one by the key of its credential over this exchange.")]
        }
        return [EvidenceCheck(.gateSignature, "The holder of the gate's key signed what the gate told the phone.")]
    }
}

/// The phone: who it was, and whether it signed.
extension EvidenceExamination {
    var checkCredential: EvidenceCheck {
        guard credential.identifier == record.credential else {
            return differs("The record names another credential than the phone proved.")
        }
        if case .tokenBeside(let token, let claims) = credential, token.confirmationKey != claims.key.key {
            return differs("The token is not for the key beside it.")
        }
        if let token = credential.token, !Self.same(token.subject, record.subject) {
            return differs("The token is of \(Quotation.of(token.subject)), the record says \(Quotation.of(record.subject)).")
        }
        if credential.key == gate?.key { return differs("The phone's key is the gate's own.") }
        let kind = credential.token == nil ? "enrolled key" : "token"
        return EvidenceCheck(.credential, "The \(kind) \(Hex.encode(credential.identifier)) is the one that the record names.")
    }

    private func differs(_ sentence: String) -> EvidenceCheck { EvidenceCheck(.credential, .credentialDiffers, sentence) }

    var checkPhone: EvidenceCheck {
        guard evidence.method.initiatorUsesSignature else {
            return EvidenceCheck(
                .phone, .onlyMAC,
                "In method \(evidence.method.rawValue) the phone proves itself by a MAC, which the gate could have made itself: it proves nothing to anybody else.")
        }
        guard evidence.isSigned(by: credential.key) else {
            return EvidenceCheck(.phone, .signatureWrong, "The phone's signature is not one by the key of its credential over this exchange.")
        }
        return EvidenceCheck(.phone, "The holder of the key \(Hex.encode(credential.key.thumbprint)) signed this exchange.")
    }

    var checkPerson: [EvidenceCheck] {
        guard let known = trust.phoneKey else { return [] }
        guard known == credential.key.thumbprint else {
            return [EvidenceCheck(.person, .otherPhone, "The phone's key is not the one that was given.")]
        }
        return [EvidenceCheck(.person, "It is the key that was given.")]
    }
}
