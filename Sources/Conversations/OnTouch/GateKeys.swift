import Cryptography

/// The keys of the gate group: one that signs, one that agrees, each with the CCS that phones have
/// received together with their token. Phones name them by `kid`.
public struct GateKeys: Sendable {
    /// For methods 0 and 2.
    let signing: OwnCredential?
    /// For methods 1 and 3.
    let agreement: OwnCredential?

    /// A CCS for phones, and how they name it.
    public struct Credential: Hashable, Sendable {
        /// The `kid`, best one byte: it travels in every message_2.
        public let keyIdentifier: [UInt8]
        /// The CCS, byte for byte as phones have it.
        public let claims: [UInt8]

        public init(keyIdentifier: [UInt8], claims: [UInt8]) {
            self.keyIdentifier = keyIdentifier
            self.claims = claims
        }
    }

    /// A gate that has neither talks to nobody.
    public init(signing: (key: SigningKey, credential: Credential)?, agreement: (key: AgreementKey, credential: Credential)?) {
        self.signing = signing.map { Self.own($0.credential, .signing($0.key)) }
        self.agreement = agreement.map { Self.own($0.credential, .agreement($0.key)) }
    }

    private static func own(_ credential: Credential, _ key: AuthenticationKey) -> OwnCredential {
        OwnCredential(
            identifier: CredentialIdentifier(keyIdentifier: credential.keyIdentifier),
            credential: credential.claims, key: key)
    }

    /// Whether the gate has the key of at least one of these methods.
    public func serve(_ methods: [EDHOCMethod]) -> Bool {
        methods.contains { credential(for: $0) != nil }
    }

    /// The credential that a method shows, nil if the gate has no such key.
    func credential(for method: EDHOCMethod) -> OwnCredential? {
        method.responderUsesSignature ? signing : agreement
    }
}
