import Credentials
import Cryptography
import PhoneProtocol

/// Makes people, each with keys of their own.
struct Makers {
    let sites: [Site]
    private(set) var people: [Person] = []
    private(set) var enrolledKeys: [EnrolledKey] = []
    private var keys: UInt8 = 0

    init(_ sites: [Site]) { self.sites = sites }

    private mutating func signing() throws -> SigningKey {
        keys += 1
        return try SigningKey(rawPrivate: Site.raw(10, keys), curve: .p256)
    }

    private mutating func agreement() throws -> AgreementKey {
        keys += 1
        return try AgreementKey(rawPrivate: Site.raw(10, keys), curve: .p256)
    }

    private func home(
        _ site: Int, _ credential: PhoneCredential, _ key: AuthenticationKey, beside: [UInt8]? = nil, token: Token? = nil,
        enrolled: EnrolledKey? = nil
    ) -> Home {
        Home(PhoneMembership(credential: credential, key: key, accompanyingToken: beside, gates: sites[site].known,
                             gateIssuers: [sites[site].knownIssuer]),
             token: token, enrolled: enrolled)
    }

    private mutating func signer(_ name: String, _ site: Int, attested: Bool = false) throws -> (SigningKey, Token) {
        let key = try signing()
        return (key, try sites[site].token(name, key.publicKey, use: .sign, number: keys, attested: attested))
    }

    mutating func byValue(_ name: String, site: Int, attested: Bool = false) throws {
        let (key, token) = try signer(name, site, attested: attested)
        people.append(Person(name, [(site, home(site, .token(token.raw), .signing(key), token: token))]))
    }

    mutating func byReference(_ name: String, site: Int, attested: Bool = false) throws {
        let (key, token) = try signer(name, site, attested: attested)
        people.append(Person(name, [(site, home(site, .tokenReference(token.raw), .signing(key), token: token))]))
    }

    mutating func besideClaims(_ name: String, site: Int) throws {
        let (key, token) = try signer(name, site)
        let claims = ConfirmedKeyCredential(key: COSEKey(key: key.publicKey), subject: "anybody").raw
        people.append(Person(name, [(site, home(site, .claims(claims), .signing(key), beside: token.raw, token: token))]))
    }

    mutating func agreeing(_ name: String, site: Int) throws {
        let key = try agreement()
        let token = try sites[site].token(name, key.publicKey, use: .agree, number: keys)
        people.append(Person(name, [(site, home(site, .token(token.raw), .agreement(key), token: token))]))
    }

    mutating func enrolled(_ name: String, site: Int, kid: [UInt8], attested: Bool = false) throws {
        let key = try signing()
        let known = EnrolledKey(keyIdentifier: kid, key: key.publicKey, use: .sign, subject: name, userVerification: attested)
        enrolledKeys.append(known)
        people.append(Person(name, [(site, home(site, .keyIdentifier(kid, claims: known.credential), .signing(key), enrolled: known))]))
    }

    mutating func enrolledAgreeing(_ name: String, site: Int, kid: [UInt8]) throws {
        let key = try agreement()
        let known = EnrolledKey(keyIdentifier: kid, key: key.publicKey, use: .agree, subject: name)
        enrolledKeys.append(known)
        people.append(Person(name, [(site, home(site, .keyIdentifier(kid, claims: known.credential), .agreement(key), enrolled: known))]))
    }

    /// Somebody who is known at both sites, with a key and a token of each.
    mutating func atBoth(_ name: String) throws {
        let (first, token) = try signer(name, 0)
        let (second, other) = try signer(name, 1)
        people.append(Person(name, [
            (0, home(0, .tokenReference(token.raw), .signing(first), token: token)),
            (1, home(1, .token(other.raw), .signing(second), token: other))
        ]))
    }
}
