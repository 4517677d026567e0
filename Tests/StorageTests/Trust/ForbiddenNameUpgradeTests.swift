import Credentials
import Cryptography
import SiteData
import Testing

@testable import Storage

/// An older version took names that are none. They open until the next publication; nobody is locked out by an upgrade.
@Suite("Site data with names of before") struct ForbiddenNameUpgradeTests {
    private static let hiding = "anna\u{1B}[2K\u{1B}[1A"

    private func old() throws -> TrustFixture {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        try fixture.apply(try fixture.publication([.enrolled(try fixture.enrolled(1)), .enrolled(try fixture.enrolled(2))]), to: store)
        store.close()
        let connection = try SQLiteConnection(path: fixture.folder.path("trust.db"), access: .readWrite, cacheKibibytes: 64)
        try connection.execute("UPDATE enrolled SET subject = '\(Self.hiding)' WHERE subject = 'person-1'")
        return fixture
    }

    private func subjects(_ store: TrustStore) throws -> [String] {
        try [1, 2].flatMap { try store.answer(TrustFixture.question(kid: TrustFixture.kid($0))).enrolled.map(\.key.subject) }
    }

    @Test func theyAreInForceAndAreRefusedAnew() throws {
        let fixture = try old()
        let store = try fixture.open()
        #expect(try subjects(store) == [Self.hiding, "person-2"])
        var again = try fixture.publication([.enrolled(try fixture.enrolled(1, subject: "anna-visible"))], version: 2)
        again.full.replace(Array("anna-visible".utf8), with: Array(Self.hiding.utf8))
        #expect(fixture.refusal(again, by: store)?.code == "publication-name-forbidden")
        #expect(try subjects(store) == [Self.hiding, "person-2"], "what is refused changes nothing")
    }

    @Test func theyCanBeTakenBack() throws {
        let fixture = try old()
        let store = try fixture.open()
        try fixture.apply(try fixture.publication([.enrolled(try fixture.enrolled(2)), .revocation(.subject(Self.hiding))], version: 2), to: store)
        #expect(try subjects(store) == ["person-2"])
        #expect(try store.answer(TrustFixture.question([.subject(Self.hiding)])).isRevoked)
    }
}
