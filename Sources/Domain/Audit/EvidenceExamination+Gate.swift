import Conversations
import Credentials

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
