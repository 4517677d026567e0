import Credentials

/// A phone proved that it holds the key of a credential.
public struct Proof: Sendable {
    /// Which of the candidates it was.
    public let candidate: Int
    public let claim: Claim
    private let result: EDHOCResult

    init(candidate: Int, claim: Claim, result: EDHOCResult) {
        self.candidate = candidate
        self.claim = claim
        self.result = result
    }

    /// TH_4: names the exchange, both identities included (32 bytes).
    public var transcript: [UInt8] { result.transcript4 }

    /// What an auditor needs to check the proof again, as one CBOR item. Built when asked for.
    public var evidence: TapEvidence { TapEvidence(of: result) }
}

/// What became of checking a phone's proof.
public enum ProofResult: Sendable {
    /// The phone is who it says. Next: `outcome`.
    case proved(Proof)
    /// It is not, for this reason, which is for journal and events. Next: `refuse`.
    case refused(Reason)

    /// Whether the phone showed a key of the gate itself. That comes before whatever else is wrong.
    public var isWrongRole: Bool {
        switch self {
        case .refused(let reason): reason == .wrongRole
        case .proved: false
        }
    }
}
