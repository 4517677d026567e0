import Credentials
import SiteData
import Testing

@testable import Storage

/// What an issuer may say at most stands in its row, and comes with it.
@Suite("Ceilings of issuers in trust.db") struct KeptCeilingTests {
    let fixture: TrustFixture
    let store: TrustStore

    static let ceiling = IssuerCeiling(commands: ["tokn", "hold"], audiences: ["tapstile:hq/lobby"], schedule: "days", longest: 3600, userVerification: true,
                                       until: 1_900_000_000)

    init() throws {
        fixture = try TrustFixture()
        store = try fixture.open()
    }

    private func bound(_ ceiling: IssuerCeiling?) -> PublicationRecord { .issuer(TokenIssuer(name: "issuer-1", key: fixture.issuer.key, ceiling: ceiling)) }

    private func issuer(_ store: TrustStore) throws -> TokenIssuer? {
        try store.answer(TrustQuestion(issuer: "issuer-1", revocations: [], enrolled: .none)).issuer
    }

    @Test func anIssuerComesBackWithItsCeiling() throws {
        try fixture.apply(fixture.publication([bound(Self.ceiling)]), to: store)
        #expect(try issuer(store)?.ceiling == Self.ceiling)
        store.close()
        #expect(try issuer(fixture.open())?.ceiling == Self.ceiling)
    }

    /// Changes lie upon another file, which has the site's part too.
    @Test func itStaysWhereOnlyPeopleChangeAndGoesWithTheSite() throws {
        let office = try RepositoryOffice(site: [bound(Self.ceiling), .ceiling(RepositoryOffice.ceiling)])
        try office.apply(to: store)
        office.publish([.revocation(.subject("mallory"))])
        try office.change(store, from: 1)
        #expect(try issuer(store)?.ceiling == Self.ceiling)
        office.site = [bound(IssuerCeiling(isOff: true)), .ceiling(RepositoryOffice.ceiling)]
        try office.change(store, withSite: true)
        #expect(try issuer(store)?.ceiling == IssuerCeiling(isOff: true))
        office.site = [bound(nil), .ceiling(RepositoryOffice.ceiling)]
        try office.change(store, withSite: true)
        #expect(try issuer(store) == fixture.issuer)
    }

    /// Without it the issuer would have none, and open everything.
    @Test func aDamagedCeilingLeavesNoIssuerWithoutOne() throws {
        try fixture.apply(fixture.publication([bound(Self.ceiling)]), to: store)
        store.close()
        do {
            let connection = try SQLiteConnection(path: fixture.folder.path("trust.db"), access: .readWrite, cacheKibibytes: 64)
            try connection.execute("UPDATE issuer SET ceiling = x'80'")
        }
        #expect(try issuer(fixture.open()) == nil)
    }

    @Test func anOlderProgramsIssuersHaveNone() throws {
        try fixture.apply(fixture.publication([bound(nil)]), to: store)
        store.close()
        try OlderDatabase.run("trust-11-to-1", on: "trust.db", in: fixture.folder)
        #expect(try issuer(fixture.open()) == fixture.issuer)
    }

    /// One question for all six, and none where the site has switched nobody off.
    @Test func anIssuerThatIsOffIsFoundAmongTheOthers() throws {
        let office = try RepositoryOffice(site: [bound(Self.ceiling), .ceiling(RepositoryOffice.ceiling)])
        try office.apply(to: store)
        let asked: [Revocation] = [.subject("a"), .suspended("a"), .issued(issuer: "issuer-1", cti: [1]), .key(thumbprint: [UInt8](repeating: 1, count: 32)),
                                   .token(try #require(TokenIdentifier([UInt8](repeating: 2, count: 32)))), .issuer("issuer-1")]
        #expect(try !store.answer(TrustFixture.question(asked)).isRevoked)
        office.publish([.revocation(.issuer("issuer-1"))])
        try office.change(store, from: 1)
        #expect(try store.answer(TrustFixture.question(asked)).isRevoked)
        #expect(try !store.answer(TrustFixture.question(asked.dropLast() + [.issuer("issuer-2")])).isRevoked)
        office.publish(gone: [RecordKey(revocation: .issuer("issuer-1"))])
        try office.change(store, from: 2)
        #expect(try !store.answer(TrustFixture.question(asked)).isRevoked)
    }
}
