import Credentials
import Cryptography
import PhoneProtocol

/// What a phone has from one site: how it shows who its owner is there, and the gates to which it does.
/// It is used for a gate of that site that has proved itself, and for no other.
public struct PhoneMembership: Sendable {
    public let credential: PhoneCredential
    /// The key that the credential names. It signs or it agrees.
    public let key: AuthenticationKey
    /// A token sent beside a CCS, as critical item.
    public let accompanyingToken: [UInt8]?
    /// The gate groups of the site.
    public let gates: [KnownGate]
    /// Who signs credentials of gates that the phone has never seen.
    public let gateIssuers: [KnownGateIssuer]

    public init(
        credential: PhoneCredential, key: AuthenticationKey, accompanyingToken: [UInt8]? = nil, gates: [KnownGate],
        gateIssuers: [KnownGateIssuer] = []
    ) {
        self.credential = credential
        self.key = key
        self.accompanyingToken = accompanyingToken
        self.gates = gates
        self.gateIssuers = gateIssuers
    }

    /// Credentials of the site's gates that this identifier may mean: a known one by reference, or a gate token of
    /// a known gate issuer. Nothing else makes a gate, a person's token least of all.
    /// - Parameter time: now by the phone's own clock, UNIX seconds.
    func gates(named identifier: CredentialIdentifier, at time: Int64?) -> GatesNamed {
        switch identifier.kind {
        case .keyIdentifier(let name): return GatesNamed(peers: gates.filter { $0.keyIdentifier == name }.map(\.peer))
        case .token(let bytes):
            var named = GatesNamed(peers: [])
            for issuer in gateIssuers {
                do throws(GateTokenError) {
                    named.peers.append(try issuer.peer(shownSignal: bytes, at: time))
                } catch {
                    named.fault = error
                }
            }
            return named
        case .claims, .other: return GatesNamed(peers: [])
        }
    }

    /// Whom an identifier may mean.
    struct GatesNamed {
        var peers: [PeerCredential]
        /// Why a gate token is not believed.
        var fault: GateTokenError?
    }
}

/// What a phone shows of itself.
public enum PhoneCredential: Hashable, Sendable {
    /// A token by value.
    case token([UInt8])
    /// A token by reference: the first bytes of its identifier. Its bytes are needed all the same,
    /// because both sides hash them.
    case tokenReference([UInt8])
    /// A CCS by value.
    case claims([UInt8])
    /// A CCS by reference.
    case keyIdentifier([UInt8], claims: [UInt8])

    /// ID_CRED_I; nil if a token that is to be named has not the form of one.
    var identifier: CredentialIdentifier? {
        switch self {
        case .token(let bytes): CredentialIdentifier(token: bytes)
        case .tokenReference(let bytes):
            (try? Token(parsing: bytes)).map { CredentialIdentifier(keyIdentifier: $0.identifier.reference) }
        case .claims(let bytes): CredentialIdentifier(claims: bytes)
        case .keyIdentifier(let identifier, _): CredentialIdentifier(keyIdentifier: identifier)
        }
    }

    /// CRED_I.
    var bytes: [UInt8] {
        switch self {
        case .token(let bytes), .tokenReference(let bytes), .claims(let bytes): bytes
        case .keyIdentifier(_, let claims): claims
        }
    }

    /// The same by value, for a gate that does not know the reference.
    var byValue: PhoneCredential? {
        switch self {
        case .token, .claims: nil
        case .tokenReference(let bytes): .token(bytes)
        case .keyIdentifier(_, let claims): .claims(claims)
        }
    }
}
