import Credentials
import Cryptography
import SiteData
import SiteRules
import Testing

@testable import Storage

/// The part that is signed offline, beside people who change.
@Suite struct RepositorySiteTests {
    let fixture: TrustFixture
    let store: TrustStore
    let key: EnrolledKey

    init() throws {
        fixture = try TrustFixture()
        store = try fixture.open()
        key = try fixture.enrolled(1)
    }

    private func isRevoked() throws -> [Bool] { try store.answer(TrustFixture.question(kid: key.keyIdentifier)).enrolled.map(\.isRevoked) }

    @Test func anotherSitesPartTakesThePlaceOfTheOld() throws {
        let office = try RepositoryOffice([.enrolled(key)], site: [.issuer(fixture.issuer), .gateCredential([0xA0]), .ceiling(RepositoryOffice.ceiling)])
        try office.apply(to: store)
        let issuer = TokenIssuer(name: "issuer-2", key: try SigningKey.generate().publicKey)
        let word = try #require(SiteMessage(language: "de", name: "granted", text: "Bitte"))
        office.site = [.issuer(issuer), .rule(.access(AccessRule(group: "staff"))), .message(word), .ceiling(RepositoryOffice.ceiling)]
        let applied = try office.change(store, withSite: true)
        #expect(applied.generation == 2 && applied.version == 1 && applied.bodyHash == office.state.digest)
        #expect(applied.counts.issuers == 1 && applied.counts.rules == 3 && applied.counts.gateCredentials == 0 && applied.counts.enrolled == 1)
        #expect(try store.answer(TrustQuestion(issuer: "issuer-1", revocations: [], enrolled: .none)).issuer == nil)
        #expect(try store.answer(TrustQuestion(issuer: "issuer-2", revocations: [], enrolled: .none)).issuer == issuer)
        #expect(try store.gateCredentials() == [])
        #expect(store.rules.rules.map(\.group) == ["staff"])
        // Changes of people go on from there.
        office.publish([.revocation(.subject("person-1"))])
        try office.change(store, from: 1)
        #expect(try isRevoked() == [true])
        #expect(store.rules.rules.map(\.group) == ["staff"])
    }

    /// What the site revoked is out of reach for those who sign people.
    @Test(arguments: [false, true]) func peopleCannotTakeBackWhatTheSiteRevoked(_ isBySubject: Bool) throws {
        let revocation = isBySubject ? Revocation.suspended("person-1") : .key(thumbprint: key.key.thumbprint)
        let office = try RepositoryOffice([.enrolled(key)], site: [.ceiling(RepositoryOffice.ceiling), .revocation(revocation)])
        try office.apply(to: store)
        #expect(try isRevoked() == [true])
        #expect(try store.answer(TrustFixture.question([revocation])).isRevoked)
        office.publish([.revocation(revocation)])
        try office.change(store, from: 1)
        office.publish(gone: [RecordKey(revocation: revocation)])
        try office.change(store, from: 2)
        #expect(try isRevoked() == [true])
        #expect(try store.answer(TrustFixture.question([revocation])).isRevoked)
        office.site.removeLast()
        try office.change(store, withSite: true)
        #expect(try isRevoked() == [false])
        #expect(try !store.answer(TrustFixture.question([revocation])).isRevoked)
    }

    @Test func nobodyHasTheKeyOfAnIssuer() throws {
        let issuing = EnrolledKey(keyIdentifier: [1], key: fixture.issuer.key, use: .sign, subject: "eve")
        let refusal = ImportError.publication(.keyOfTwoRoles(thumbprint: fixture.issuer.key.thumbprint))
        let office = try RepositoryOffice([.enrolled(key)], site: [.issuer(fixture.issuer), .ceiling(RepositoryOffice.ceiling)])
        try office.apply(to: store)
        office.publish([.enrolled(issuing)])
        #expect(try RepositoryOffice.refusal { try office.change(store, from: 1) } == refusal)
        #expect(try RepositoryOffice.refusal { try office.apply(to: store) } == refusal)
        // The other way round: the key of somebody who is there becomes an issuer's.
        office.publish(gone: [RecordKey(enrolled: issuing.key.thumbprint)])
        office.site = [.issuer(TokenIssuer(name: "i", key: key.key)), .ceiling(RepositoryOffice.ceiling)]
        #expect(try RepositoryOffice.refusal { try office.change(store, from: 1, withSite: true) }
                == .publication(.keyOfTwoRoles(thumbprint: key.key.thumbprint)))
        office.publish(gone: [RecordKey(enrolled: key.key.thumbprint)])
        try office.change(store, from: 1, withSite: true)
    }

    /// A gate takes its data from one place, and says so where others lie.
    @Test func dataFromElsewhereCountAsNone() throws {
        let office = try RepositoryOffice([.enrolled(key)])
        try office.apply(to: store)
        store.close()
        for origin in [SiteDataOrigin.publication, .siteFile] {
            let other = try TrustStore.open(directory: fixture.folder.path, site: "hq", origin: origin)
            #expect(other.status.state == .absent(StorageError(.noSiteData, "")))
            other.close()
        }
        let own = try TrustStore.open(directory: fixture.folder.path, site: "hq", origin: .repository)
        #expect(own.status.publication?.origin == .repository)
    }
}
