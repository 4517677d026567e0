import Credentials
import Cryptography
import PhoneProtocol

/// Somebody with a phone that keeps to the protocol.
struct Person {
    let name: String
    /// What this person has from each site, by the site's number.
    let homes: [Int: Home]
    let identity: PhoneIdentity
    /// Bytes by which one could be recognised.
    let marks: [[UInt8]]

    init(_ name: String, _ homes: [(site: Int, home: Home)]) {
        self.name = name
        self.homes = Dictionary(uniqueKeysWithValues: homes.map { ($0.site, $0.home) })
        identity = PhoneIdentity(memberships: homes.map(\.home.membership))
        marks = [Array(name.utf8)] + homes.flatMap(\.home.marks)
    }

    /// One of the person's homes.
    func anyHome(_ dice: inout Dice) -> (site: Int, home: Home)? {
        let sites = homes.keys.sorted()
        let site = dice.pick(sites)
        return homes[site].map { (site, $0) }
    }
}

/// What a site gave a person: it lets them pass everywhere.
struct Home {
    let membership: PhoneMembership
    let token: Token?
    /// What would take it back.
    let revocations: [Revocation]
    /// Whether the site says that the key is released after user verification only.
    let isAttested: Bool

    init(_ membership: PhoneMembership, token: Token?, enrolled: EnrolledKey?) {
        self.membership = membership
        self.token = token
        revocations = (token?.revocations ?? []) + (enrolled?.revocations ?? [])
        isAttested = token?.claims.userVerification ?? enrolled?.userVerification ?? false
    }

    var key: PublicKey { membership.key.publicKey }

    var marks: [[UInt8]] {
        let marks = [Array(key.x.prefix(12)), key.thumbprint]
        guard let token else { return marks }
        return marks + [Array(token.raw.suffix(16)), token.identifier.reference]
    }

    /// What the person may present, as a gate reads it.
    var presented: [PresentedCredential?] {
        switch membership.credential {
        case .token(let bytes): return [Self.token(bytes)]
        case .tokenReference(let bytes):
            return [Self.token(bytes), (try? Token(parsing: bytes)).map { .keyIdentifier($0.identifier.reference) }]
        case .claims(let bytes): return [claims(bytes)]
        case .keyIdentifier(let identifier, let bytes):
            let reference = beside.map { PresentedCredential.tokenBesideReference($0, identifier) }
            return [reference ?? .keyIdentifier(identifier), claims(bytes)]
        }
    }

    private static func token(_ bytes: [UInt8]) -> PresentedCredential? { (try? Token(parsing: bytes)).map { .token($0) } }

    private var beside: Token? { membership.accompanyingToken.flatMap { try? Token(parsing: $0) } }

    private func claims(_ bytes: [UInt8]) -> PresentedCredential? {
        let claims = try? ConfirmedKeyCredential(parsing: bytes)
        guard let beside else { return claims.map { .key($0) } }
        return .tokenBesideKey(beside, claims)
    }
}
