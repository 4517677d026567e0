import Credentials
import Cryptography
import PhoneProtocol

/// Who a phone's owner is, at every site that gave them something.
public struct PhoneIdentity: Sendable {
    /// One for each site, or for each credential where a site gave several; the preferred one first.
    public let memberships: [PhoneMembership]

    public init(memberships: [PhoneMembership]) {
        self.memberships = memberships
    }

    /// An identity of one site.
    public init(
        credential: PhoneCredential, key: AuthenticationKey, accompanyingToken: [UInt8]? = nil, gates: [KnownGate],
        gateIssuers: [KnownGateIssuer] = []
    ) {
        self.init(memberships: [
            PhoneMembership(
                credential: credential, key: key, accompanyingToken: accompanyingToken, gates: gates, gateIssuers: gateIssuers)
        ])
    }

    /// Whether the phone offers to sign. METHOD is said before any gate is known, so that the first
    /// membership settles it; those with a key of the other kind cannot be used in that exchange.
    public var signs: Bool { memberships.first?.key.signs ?? true }

    /// A gate that may be meant, and what would be shown to it.
    struct Possibility {
        let membership: PhoneMembership
        let gate: PeerCredential
    }

    /// Nobody's credential, with a key whose private half was thrown away. Empty only if the library can make no key.
    static let decoy: [PeerCredential] = {
        guard let key = try? SigningKey.generate(.p256) else { return [] }
        return [PeerCredential(credential: [0xA0], key: key.publicKey)]
    }()

    /// The gates that this identifier may mean, over all sites: a `kid` is unique in none of them.
    /// Never one with a key of our own (reflection). Memberships that fit `method` come first.
    /// - Parameter time: now by the phone's own clock, UNIX seconds; nil if it has none.
    func gates(
        named identifier: CredentialIdentifier, method: EDHOCMethod, at time: Int64?
    ) throws(PhoneStop) -> [Possibility] {
        let own = memberships.map(\.key.publicKey)
        let fitting = memberships.filter { $0.key.signs == method.initiatorUsesSignature }
        let others = memberships.filter { $0.key.signs != method.initiatorUsesSignature }
        var possibilities: [Possibility] = []
        var fault: GateTokenError?
        for membership in fitting + others {
            let named = membership.gates(named: identifier, at: time)
            possibilities += named.peers.filter { !own.contains($0.key) }.map { Possibility(membership: membership, gate: $0) }
            fault = fault ?? named.fault
        }
        guard possibilities.isEmpty else { return possibilities }
        if let fault { throw .gateToken(fault) }
        throw .unknownGate
    }
}
