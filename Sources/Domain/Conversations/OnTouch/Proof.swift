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
    public var evidence: Evidence { Evidence(of: result) }
}
