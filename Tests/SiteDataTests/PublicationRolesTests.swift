import Credentials
import Cryptography
import SiteData
import Testing

/// Each name and each key of a publication speaks for one thing (V3).
@Suite struct PublicationRolesTests {
    var fixture: PublicationFixture
    let key: PublicKey
    let other: PublicKey

    init() throws {
        fixture = try PublicationFixture()
        key = try SigningKey.generate().publicKey
        other = try SigningKey.generate().publicKey
    }

    private func tokenIssuer(_ name: String, _ key: PublicKey) -> PublicationRecord { .issuer(TokenIssuer(name: name, key: key)) }
    private func gate(_ key: PublicKey) -> PublicationRecord { .gateCredential(GateCredential(site: "hq", key: key).claims) }
    private func gateIssuer(_ name: String, _ key: PublicKey) -> PublicationRecord {
        .gateCredential(GateListEntry.issuer(GateIssuer(site: "hq", name: name, key: key)).encoded)
    }
    private func person(_ key: PublicKey, _ use: KeyUse = .sign) -> PublicationRecord {
        .enrolled(EnrolledKey(keyIdentifier: [1], key: key, use: use, subject: "eve"))
    }

    private func refusal(_ records: [PublicationRecord]) throws -> PublicationError? {
        var fixture = fixture
        fixture.records = records
        let file = try fixture.file()
        do throws(PublicationError) {
            _ = try fixture.read(file)
            return nil
        } catch {
            return error
        }
    }

    @Test func whatBelongsTogetherIsTaken() throws {
        let third = try SigningKey.generate().publicKey
        #expect(try refusal([tokenIssuer("a", key), gate(other), gate(other), gateIssuer("a-gates", third), .gateCredential([0xA0]),
                             person(try SigningKey.generate().publicKey)]) == nil)
    }

    @Test func anIssuerOfTokensIsNoIssuerOfGates() throws {
        for records in [[tokenIssuer("a", key), gateIssuer("a", other)], [gateIssuer("a", other), tokenIssuer("a", key)]] {
            #expect(try refusal(records) == .sharedIssuer("a"))
        }
        for records in [[tokenIssuer("a", key), gateIssuer("b", key)], [gateIssuer("b", key), tokenIssuer("a", key)]] {
            #expect(try refusal(records) == .keyOfTwoRoles(thumbprint: key.thumbprint))
        }
    }

    @Test func anIssuerIsNoGate() throws {
        for issuer in [tokenIssuer("a", key), gateIssuer("a", key)] {
            for records in [[issuer, gate(key)], [gate(key), issuer]] {
                #expect(try refusal(records) == .keyOfTwoRoles(thumbprint: key.thumbprint))
            }
        }
    }

    @Test func aPersonIsNeither() throws {
        for other in [tokenIssuer("a", key), gateIssuer("a", key), gate(key)] {
            #expect(try refusal([other, person(key)]) == .keyOfTwoRoles(thumbprint: key.thumbprint))
            #expect(try refusal([other, person(key, .agree)]) == .keyOfTwoRoles(thumbprint: key.thumbprint))
        }
    }
}
