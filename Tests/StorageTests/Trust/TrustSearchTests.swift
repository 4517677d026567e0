import Credentials
import Cryptography
import SiteData
import Testing

@testable import Storage

/// Who is asked about by name: found among everybody, whichever file has them.
@Suite struct TrustSearchTests {
    let fixture: TrustFixture
    init() throws { fixture = try TrustFixture() }

    private func names(_ search: TrustSearch) throws -> Set<String> {
        var names: Set<String> = []
        try search.names { names.insert($0).inserted || true }
        return names
    }

    @Test func withoutDataThereIsNothingToLookThrough() throws {
        #expect(try fixture.open().search() == nil)
    }

    @Test func everythingOfAPersonIsFound() throws {
        let store = try fixture.open()
        let keys = try (1...3).map { try fixture.enrolled($0, subject: "ben") }, other = try fixture.enrolled(9)
        let card = try TrustCardTests.card(1, subject: "ben")
        try fixture.apply(try fixture.publication((keys + [other]).map { .enrolled($0) } + [.uidOnlyCard(card)]), to: store)
        let search = try #require(try store.search())
        let found = try search.credentials(of: "ben", most: 16)
        #expect(Set(found.keys) == Set(keys.map(\.key.thumbprint)) && found.cards == [card.number] && !found.isMore)
        let few = try search.credentials(of: "ben", most: 2)
        #expect(few.keys.count + few.cards.count == 2 && few.isMore)
        #expect(try search.credentials(of: "BEN", most: 16) == TrustSearch.Named())
        #expect(try names(search) == ["ben", "person-9"])
    }

    @Test func aKeyIsFoundByWhatEventsShowOfIt() throws {
        let store = try fixture.open(), key = try fixture.enrolled(1), print = key.key.thumbprint
        try fixture.apply(try fixture.publication([.enrolled(key), .enrolled(try fixture.enrolled(2))]), to: store)
        let search = try #require(try store.search())
        for length in [4, 7, 8, 9, 32] { #expect(try search.keys(named: Array(print.prefix(length)), most: 4).keys == [print], "\(length)") }
        #expect(try search.keys(named: key.keyIdentifier, most: 4).keys == [print], "by its kid")
        var wrong = print
        wrong[31] ^= 1
        #expect(try search.keys(named: wrong, most: 4).keys.isEmpty)
    }

    /// Changes lie upon the file: what they took away is gone, and what they revoked was not revoked before them.
    @Test func changesCount() throws {
        let store = try fixture.open(), ben = try fixture.enrolled(1, subject: "ben"), ada = try fixture.enrolled(2, subject: "ada")
        let office = try RepositoryOffice([.enrolled(ben), .revocation(.suspended("eve"))])
        let whole = try office.apply(to: store)
        office.publish([.enrolled(ada), .revocation(.key(thumbprint: ada.key.thumbprint))], gone: [RecordKey(.enrolled(ben))])
        let changed = try office.change(store, from: 1)
        let search = try #require(try store.search())
        #expect(try search.credentials(of: "ben", most: 4).keys.isEmpty)
        #expect(try search.credentials(of: "ada", most: 4).keys == [ada.key.thumbprint])
        let revoked = try search.inForce(ada.revocations + [.suspended("eve"), .subject("eve")])
        #expect(revoked.map(\.revocation) == [.key(thumbprint: ada.key.thumbprint), .suspended("eve")])
        #expect(revoked.map(\.by.version) == [changed.version, whole.version])
        #expect(revoked.map(\.after?.version) == [whole.version, nil])
        office.publish(gone: [RecordKey(.revocation(.suspended("eve")))])
        try office.change(store, from: 2)
        #expect(try #require(try store.search()).inForce([.suspended("eve")]).isEmpty)
    }
}
