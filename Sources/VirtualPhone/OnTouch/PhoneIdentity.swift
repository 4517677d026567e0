import Conversations
import Cryptography

/// Who a phone is and which gates it trusts.
public struct PhoneIdentity: Sendable {
    public let credential: PhoneCredential
    /// The key that the credential names. It signs or it agrees.
    public let key: AuthenticationKey
    /// A token sent beside a CCS, as critical item.
    public let accompanyingToken: [UInt8]?
    /// The gate groups that this phone talks to.
    public let gates: [KnownGate]

    public init(
        credential: PhoneCredential, key: AuthenticationKey, accompanyingToken: [UInt8]? = nil, gates: [KnownGate]
    ) {
        self.credential = credential
        self.key = key
        self.accompanyingToken = accompanyingToken
        self.gates = gates
    }

    /// Gate credentials that this identifier may mean: only by reference, only known ones, and never
    /// one with our own key (reflection).
    func gates(named identifier: CredentialIdentifier) -> [PeerCredential] {
        switch identifier.kind {
        case .keyIdentifier(let name):
            gates.filter { $0.keyIdentifier == name && $0.key != key.publicKey }.map(\.peer)
        case .token, .claims, .other: []
        }
    }
}
