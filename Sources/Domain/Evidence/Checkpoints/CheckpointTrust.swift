import Cryptography

/// Whose checkpoints are believed.
public struct CheckpointTrust: Sendable {
    /// Public audit keys.
    public let keys: [PublicKey]
    /// The site and the gate the journal must be of; nil where nobody said.
    public let site: String?
    public let gate: String?

    /// What an auditor knows.
    public init(keys: [PublicKey], site: String? = nil, gate: String? = nil) {
        self.keys = keys
        self.site = site
        self.gate = gate
    }

    /// Whether somebody believed signed it for this gate; what is wrong otherwise.
    public func fault(of signed: SignedCheckpoint) -> CheckpointFault? {
        guard let key = keys.first(where: { $0.thumbprint == signed.keyIdentifier }) else { return .keyUnknown }
        guard signed.isSigned(by: key) else { return .signatureWrong }
        guard isOurs(site, signed.checkpoint.site), isOurs(gate, signed.checkpoint.gate) else { return .otherGate }
        return nil
    }

    /// Byte by byte: two names that merely look the same are two names.
    private func isOurs(_ expected: String?, _ said: String) -> Bool {
        expected.map { $0.utf8.elementsEqual(said.utf8) } ?? true
    }
}
