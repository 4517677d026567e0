import Credentials
import Cryptography

/// What message_3 says before its proof is checked.
public struct Claim: Hashable, Sendable {
    public let method: EDHOCMethod
    public let suite: CipherSuite
    /// What is presented, read once; nil if it cannot be read.
    public let presented: PresentedCredential?
    /// What the phone wants; carrier and lane were compared with the offer already.
    public let request: PhoneRequest
    /// Whether the phone gave a reference instead of a credential.
    let isByReference: Bool
    /// Whether what cannot be read as a person's is a gate token.
    private let isGateToken: Bool

    /// Takes a decrypted message_3 apart and holds it against the offer.
    init(_ claim: EDHOCClaim, opening: EDHOCOpening, context: GateContext) throws(ClaimFault) {
        let shown = claim.identifier
        if case .other = shown.kind { throw .malformed("id-cred-not-supported") }
        let items = try Items(claim.ead)
        guard let value = items.request else { throw .protocolError("ead-3-missing") }
        guard let request = PhoneRequest(value: value) else { throw .protocolError("ead-3-request") }
        guard request.carrier == context.carrier else { throw .wrongCarrier }
        // Byte by byte: Swift would take some different texts for the same.
        guard request.lane.utf8.elementsEqual(context.lane.utf8) else { throw .wrongLane }
        if case .token = shown.kind, items.token != nil { throw .malformed("two-tokens") }
        method = opening.method
        suite = opening.suite
        self.request = request
        isByReference = shown.isReference
        let presented = if let token = items.token { Self.present(token, beside: shown) } else { Self.present(shown) }
        self.presented = presented
        isGateToken = presented == nil && Self.isGateToken(items.token ?? shown.token)
    }

    private static func present(_ shown: CredentialIdentifier) -> PresentedCredential? {
        switch shown.kind {
        case .token(let bytes): shown.item.flatMap { try? Token(decoded: $0, raw: bytes) }.map { .token($0) }
        case .claims(let bytes): claims(shown, bytes).map { .key($0) }
        case .keyIdentifier(let identifier): .keyIdentifier(identifier)
        case .other: nil
        }
    }

    private static func present(_ token: [UInt8], beside shown: CredentialIdentifier) -> PresentedCredential? {
        guard let token = try? Token(parsing: token) else { return nil }
        switch shown.kind {
        case .claims(let bytes): return .tokenBesideKey(token, claims(shown, bytes))
        case .keyIdentifier(let identifier): return .tokenBesideReference(token, identifier)
        case .token, .other: return nil
        }
    }

    /// What the message was read into is not read again.
    private static func claims(_ shown: CredentialIdentifier, _ bytes: [UInt8]) -> ConfirmedKeyCredential? {
        shown.item.flatMap { try? ConfirmedKeyCredential(decoded: $0, raw: bytes) }
    }

    /// Whether a gate is presented as a person: by a gate token, or by one of these keys, in its token or in its
    /// claims set.
    func isGate(_ keys: GateKeys) -> Bool {
        switch presented {
        case .token(let token), .tokenBesideReference(let token, _): keys.isOwn(token.confirmationKey)
        case .tokenBesideKey(let token, let claims):
            keys.isOwn(token.confirmationKey) || (claims.map { keys.isOwn($0.key.key) } ?? false)
        case .key(let claims): keys.isOwn(claims.key.key)
        case .keyIdentifier: false
        case nil: isGateToken
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
                case PhoneProtocolProfile.phoneRequestLabel: try Self.read(item, into: &request)
                case PhoneProtocolProfile.tokenLabel: try Self.read(item, into: &token)
                default:
                    if item.isCritical { throw .protocolError("ead-3-critical-item") }
                }
            }
        }

        /// Both are critical, have a value, and come once.
        private static func read(_ item: EADItem, into value: inout [UInt8]?) throws(ClaimFault) {
            guard item.isCritical, let bytes = item.value, value == nil else { throw .protocolError("ead-3-item") }
            value = bytes
        }
    }
}

extension CredentialIdentifier {
    /// Whether it names a credential that the other side has.
    fileprivate var isReference: Bool {
        switch kind {
        case .keyIdentifier: true
        case .token, .claims, .other: false
        }
    }

    /// The token, where it is one.
    fileprivate var token: [UInt8]? {
        switch kind {
        case .token(let bytes): bytes
        case .keyIdentifier, .claims, .other: nil
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
