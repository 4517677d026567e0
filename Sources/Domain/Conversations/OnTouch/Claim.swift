import Credentials
import Cryptography

/// What message_3 says before its proof is checked.
public struct Claim: Hashable, Sendable {
    public let method: EDHOCMethod
    public let suite: CipherSuite
    public let credential: ClaimedCredential
    /// A token beside a CCS (critical EAD_3 item); the key in its `cnf` must be the one proven.
    public let accompanyingToken: [UInt8]?
    /// What is presented, in the form that trust is asked about: a token by value or beside a CCS, a
    /// key by value, or a reference. nil if the credential is not one of this profile.
    public let presented: PresentedCredential?
    /// What the phone wants; carrier and lane were compared with the offer already.
    public let request: PhoneRequest

    /// Takes a decrypted message_3 apart and holds it against the offer.
    init(_ claim: EDHOCClaim, opening: EDHOCOpening, context: GateContext) throws(ClaimFault) {
        method = opening.method
        suite = opening.suite
        switch claim.identifier.kind {
        case .token(let bytes): credential = .token(bytes)
        case .claims(let bytes): credential = .claims(bytes)
        case .keyIdentifier(let bytes): credential = .keyIdentifier(bytes)
        case .other: throw .malformed("id-cred-not-supported")
        }
        let items = try Items(claim.ead)
        guard let value = items.request else { throw .protocolError("ead-3-missing") }
        guard let request = PhoneRequest(value: value) else { throw .protocolError("ead-3-request") }
        guard request.carrier == context.carrier else { throw .wrongCarrier }
        // Byte by byte: Swift would take some different texts for the same.
        guard request.lane.utf8.elementsEqual(context.lane.utf8) else { throw .wrongLane }
        self.request = request
        accompanyingToken = items.token
        if case .token = credential, items.token != nil { throw .malformed("two-tokens") }
        presented = Self.present(credential, beside: items.token)
    }

    private static func present(_ credential: ClaimedCredential, beside token: [UInt8]?) -> PresentedCredential? {
        if let token { return (try? Token(parsing: token)).map { .token($0) } }
        switch credential {
        case .token(let bytes): return (try? Token(parsing: bytes)).map { .token($0) }
        case .claims(let bytes): return (try? ConfirmedKeyCredential(parsing: bytes)).map { .key($0) }
        case .keyIdentifier(let identifier): return .keyIdentifier(identifier)
        }
    }

    /// Whether a gate is presented as a person: by a gate token, or by one of these keys, in its token or in its
    /// claims set.
    func isGate(_ keys: GateKeys) -> Bool {
        switch presented {
        case .token(let token):
            if keys.isOwn(token.claims.confirmationKey.key) { return true }
            guard case .claims(let bytes) = credential, let claims = try? ConfirmedKeyCredential(parsing: bytes) else { return false }
            return keys.isOwn(claims.key.key)
        case .key(let claims): return keys.isOwn(claims.key.key)
        case .keyIdentifier: return false
        case nil: return Self.isGateToken(accompanyingToken) || Self.isGateToken(credential.token)
        }
    }

    private static func isGateToken(_ bytes: [UInt8]?) -> Bool {
        guard let bytes else { return false }
        return (try? GateToken(parsing: bytes)) != nil
    }

    /// The EAD_3 items of this profile.
    private struct Items {
        var request: [UInt8]?
        var token: [UInt8]?

        init(_ items: [EADItem]) throws(ClaimFault) {
            for item in items {
                switch item.label {
                case OnTouchProfile.phoneRequestLabel: try Self.take(item, into: &request)
                case OnTouchProfile.tokenLabel: try Self.take(item, into: &token)
                default:
                    if item.isCritical { throw .protocolError("ead-3-critical-item") }
                }
            }
        }

        /// Both are critical, have a value, and come once.
        private static func take(_ item: EADItem, into value: inout [UInt8]?) throws(ClaimFault) {
            guard item.isCritical, let bytes = item.value, value == nil else { throw .protocolError("ead-3-item") }
            value = bytes
        }
    }
}

extension Claim {
    /// The credentials whose key the phone may be proving, for `OnTouchGate.resolve`.
    /// - Parameter enrolled: what the site data know by this reference or key, in the order wanted.
    ///   Needed unless a token is presented.
    /// - Returns: empty if nobody is known, or a token's key is not the key beside it.
    public func candidates(for presented: PresentedCredential, enrolled: [EnrolledKey]) -> [PeerCredential] {
        switch presented {
        case .token(let token): candidates(of: token)
        case .key(let claims):
            enrolled.filter { $0.key == claims.key.key }
                .map { PeerCredential(credential: claims.raw, key: $0.key, use: $0.use) }
        case .keyIdentifier:
            enrolled.map { PeerCredential(credential: $0.credential, key: $0.key, use: $0.use) }
        }
    }

    private func candidates(of token: Token) -> [PeerCredential] {
        let confirmed = token.claims.confirmationKey
        switch credential {
        case .token(let bytes):
            return [PeerCredential(credential: bytes, key: confirmed.key, use: confirmed.use)]
        case .claims(let bytes):
            guard let claims = try? ConfirmedKeyCredential(parsing: bytes), claims.key.key == confirmed.key else { return [] }
            return [PeerCredential(credential: bytes, key: confirmed.key, use: confirmed.use)]
        case .keyIdentifier(let identifier):
            // The gate cannot know the phone's CCS, so it is the one that follows from the token.
            let claims = ConfirmedKeyCredential(
                key: COSEKey(key: confirmed.key, keyIdentifier: identifier), subject: token.claims.subject)
            return [PeerCredential(credential: claims.raw, key: confirmed.key, use: confirmed.use)]
        }
    }
}

/// What a phone brought to be known by, decrypted but not proven.
public enum ClaimedCredential: Hashable, Sendable {
    /// A token by value; it is CRED_I, byte for byte.
    case token([UInt8])
    /// A CCS by value; it is CRED_I, byte for byte.
    case claims([UInt8])
    /// A reference: an enrolled key, or a token this gate has.
    case keyIdentifier([UInt8])

    /// The token, where it is one.
    var token: [UInt8]? {
        switch self {
        case .token(let bytes): bytes
        case .claims, .keyIdentifier: nil
        }
    }
}

/// Why a decrypted message_3 is not accepted as a claim. The texts are stable codes.
enum ClaimFault: Error, Hashable {
    /// The credential is none of this profile.
    case malformed(String)
    /// EAD_3 breaks the rules.
    case protocolError(String)
    /// The phone sees another carrier than the gate.
    case wrongCarrier
    /// The phone speaks of another lane.
    case wrongLane
}
