import Credentials
import Cryptography

/// The keys that a gate proves itself with: one that signs, one that agrees, each with the credential that it
/// shows for it.
public struct GateKeys: Sendable {
    /// For methods 0 and 2.
    let signing: OwnCredential?
    /// For methods 1 and 3.
    let agreement: OwnCredential?
    /// Every key of the gate, also those that are not in use yet.
    private let own: [PublicKey]

    /// What a gate shows for a key (CRED_R), and how (ID_CRED_R).
    public struct Credential: Hashable, Sendable {
        /// ID_CRED_R.
        let identifier: CredentialIdentifier
        /// CRED_R: the CCS or the CWT, byte for byte as phones have or get it.
        public let bytes: [UInt8]

        /// By reference: a CCS that phones have received together with their token. The `kid` is best one byte: it
        /// travels in every message_2.
        public init(keyIdentifier: [UInt8], claims: [UInt8]) {
            identifier = CredentialIdentifier(keyIdentifier: keyIdentifier)
            bytes = claims
        }

        /// By value: for phones that have never seen the key. About 210 bytes more in message_2.
        public init(_ token: GateToken) {
            identifier = CredentialIdentifier(token: token.raw)
            bytes = token.raw
        }
    }

    /// A gate that has neither key talks to nobody.
    /// - Parameter reserved: keys that the gate will use one day. They are no person's any more than those in use.
    public init(signing: (key: SigningKey, credential: Credential)?, agreement: (key: AgreementKey, credential: Credential)?,
                reserved: [PublicKey] = []) {
        self.signing = signing.map { Self.own($0.credential, .signing($0.key)) }
        self.agreement = agreement.map { Self.own($0.credential, .agreement($0.key)) }
        own = [signing?.key.publicKey, agreement?.key.publicKey].compactMap { $0 } + reserved
    }

    private static func own(_ credential: Credential, _ key: AuthenticationKey) -> OwnCredential {
        OwnCredential(identifier: credential.identifier, credential: credential.bytes, key: key)
    }

    /// Whether the gate has the key of at least one of these methods.
    public func serve(_ methods: [EDHOCMethod]) -> Bool {
        methods.contains { credential(for: $0) != nil }
    }

    /// Whether this is a key of the gate itself, now or later. Nobody who shows it is a person.
    public func isOwn(_ key: PublicKey) -> Bool { own.contains(key) }

    /// The credential that a method shows, nil if the gate has no such key.
    func credential(for method: EDHOCMethod) -> OwnCredential? {
        method.responderUsesSignature ? signing : agreement
    }
}
