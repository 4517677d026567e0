import Conversations
import Credentials
import Cryptography

/// Two sites, the people of both, and an adversary who may enter a cellar that has no gate here.
struct Town {
    let sites: [Site]
    let people: [Person]
    let eve: Eve

    /// When it all begins, UNIX seconds. Every conversation has a second of its own, so that no two
    /// gates say the same of themselves.
    static let begin: Int64 = 1_800_000_000

    init() throws {
        var uptown = try Site("uptown", number: 1, places: [("north", .nfc), ("north", .ble), ("south", .nfc)])
        let harbour = try Site("harbour", number: 2, places: [("north", .nfc)])
        var makers = Makers(sites: [uptown, harbour])
        try makers.byValue("adelaide", site: 0)
        try makers.byReference("bartholomew", site: 0)
        try makers.besideClaims("cornelia", site: 0)
        try makers.agreeing("desideria", site: 0)
        try makers.enrolled("frederica", site: 0, kid: Eve.sharedKid)
        try makers.enrolledAgreeing("gwendolyn", site: 0, kid: [0x2B])
        try makers.byValue("hildegard", site: 1)
        let eve = try Eve(of: uptown)
        uptown.enrolled = makers.enrolledKeys + [eve.enrolled]
        sites = [uptown, harbour]
        people = makers.people
        self.eve = eve
    }
}

/// Makes people, each with a key of their own.
private struct Makers {
    let sites: [Site]
    var people: [Person] = []
    var enrolledKeys: [EnrolledKey] = []

    private func signing() throws -> SigningKey {
        try SigningKey(rawPrivate: Site.raw(10, UInt8(people.count + 1)), curve: .p256)
    }

    private func agreement() throws -> AgreementKey {
        try AgreementKey(rawPrivate: Site.raw(11, UInt8(people.count + 1)), curve: .p256)
    }

    private func token(_ name: String, _ site: Int, _ key: PublicKey, _ use: KeyUse) throws -> Token {
        try sites[site].token(name, key, use: use, number: UInt8(people.count + 1))
    }

    private mutating func add(
        _ name: String, _ site: Int, _ credential: PhoneCredential, _ key: AuthenticationKey, token: Token? = nil,
        accompanying: [UInt8]? = nil, enrolled: EnrolledKey? = nil
    ) {
        let membership = PhoneMembership(credential: credential, key: key, accompanyingToken: accompanying, gates: sites[site].known)
        people.append(Person(name, site: site, membership, token: token, enrolled: enrolled))
        if let enrolled { enrolledKeys.append(enrolled) }
    }

    mutating func byValue(_ name: String, site: Int) throws {
        let key = try signing()
        let token = try token(name, site, key.publicKey, .sign)
        add(name, site, .token(token.raw), .signing(key), token: token)
    }

    mutating func byReference(_ name: String, site: Int) throws {
        let key = try signing()
        let token = try token(name, site, key.publicKey, .sign)
        add(name, site, .tokenReference(token.raw), .signing(key), token: token)
    }

    mutating func besideClaims(_ name: String, site: Int) throws {
        let key = try signing()
        let token = try token(name, site, key.publicKey, .sign)
        let claims = ConfirmedKeyCredential(key: COSEKey(key: key.publicKey), subject: "anybody")
        add(name, site, .claims(claims.raw), .signing(key), token: token, accompanying: token.raw)
    }

    mutating func agreeing(_ name: String, site: Int) throws {
        let key = try agreement()
        let token = try token(name, site, key.publicKey, .agree)
        add(name, site, .token(token.raw), .agreement(key), token: token)
    }

    mutating func enrolled(_ name: String, site: Int, kid: [UInt8]) throws {
        let key = try signing()
        let known = EnrolledKey(keyIdentifier: kid, key: key.publicKey, use: .sign, subject: name)
        add(name, site, .keyIdentifier(kid, claims: known.credential), .signing(key), enrolled: known)
    }

    mutating func enrolledAgreeing(_ name: String, site: Int, kid: [UInt8]) throws {
        let key = try agreement()
        let known = EnrolledKey(keyIdentifier: kid, key: key.publicKey, use: .agree, subject: name)
        add(name, site, .keyIdentifier(kid, claims: known.credential), .agreement(key), enrolled: known)
    }
}
