import Conversations
import Credentials
import Cryptography

/// Somebody with a phone that keeps to the protocol.
struct Person {
    let name: String
    /// The site that lets this person pass everywhere.
    let site: Int
    let identity: PhoneIdentity
    /// What the phone has from that site.
    let membership: PhoneMembership
    let hasToken: Bool
    let key: PublicKey
    /// What would take the credential back.
    let revocations: [Revocation]
    /// Bytes by which one could be recognised.
    let marks: [[UInt8]]

    init(_ name: String, site: Int, _ membership: PhoneMembership, token: Token?, enrolled: EnrolledKey?) {
        self.name = name
        self.site = site
        self.membership = membership
        identity = PhoneIdentity(memberships: [membership])
        hasToken = token != nil
        key = membership.key.publicKey
        revocations = (token?.revocations ?? []) + (enrolled?.revocations ?? [])
        var marks = [Array(name.utf8), Array(key.x.prefix(12)), key.thumbprint]
        if let token { marks += [Array(token.raw.suffix(16)), token.identifier.reference] }
        self.marks = marks
    }

    /// What this person may send as ID_CRED_I.
    var credentials: [ClaimedCredential] {
        switch membership.credential {
        case .token(let bytes): [.token(bytes)]
        case .tokenReference(let bytes):
            [.token(bytes)] + ((try? Token(parsing: bytes)).map { [.keyIdentifier($0.identifier.reference)] } ?? [])
        case .claims(let bytes): [.claims(bytes)]
        case .keyIdentifier(let identifier, let claims): [.keyIdentifier(identifier), .claims(claims)]
        }
    }
}
