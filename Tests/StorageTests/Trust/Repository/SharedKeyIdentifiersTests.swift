import Credentials
import SiteData
import Testing

@testable import Storage

/// A `kid` need not be unique: whoever shares one is found, in whichever file the keys lie. Whether the file below has others of it is worked
/// out when the changes are finished; a tap believes it.
@Suite struct SharedKeyIdentifiersTests {
    let fixture: TrustFixture
    let store: TrustStore
    let office: RepositoryOffice
    let first: EnrolledKey
    let second: EnrolledKey
    static let kid: [UInt8] = [0x0A, 0x0B]

    init() throws {
        fixture = try TrustFixture()
        store = try fixture.open()
        first = try Self.sharing(fixture.enrolled(1))
        second = try Self.sharing(fixture.enrolled(2))
        office = try RepositoryOffice([.enrolled(first), .enrolled(second)], site: [.ceiling(RepositoryOffice.ceiling)])
        try office.apply(to: store)
    }

    private static func sharing(_ key: EnrolledKey, until end: Int64? = nil) -> EnrolledKey {
        EnrolledKey(keyIdentifier: kid, key: key.key, use: .sign, subject: key.subject, expiresAt: end)
    }

    private func change(_ put: [EnrolledKey] = [], gone: [EnrolledKey] = []) throws {
        let have = office.version
        office.publish(put.map(PublicationRecord.enrolled), gone: gone.map { RecordKey(enrolled: $0.key.thumbprint) })
        try office.change(store, from: have)
    }

    private func subjects() throws -> Set<String> { Set(try store.answer(TrustFixture.question(kid: Self.kid)).enrolled.map(\.key.subject)) }

    @Test func aChangedKeyHidesNobodyWhoSharesItsIdentifierBelow() throws {
        try change([Self.sharing(first, until: 99)])
        #expect(try subjects() == [first.subject, second.subject])
    }

    @Test func aNewKeyHidesNobodyWhoSharesItsIdentifierBelow() throws {
        let third = Self.sharing(try fixture.enrolled(3))
        try change([third])
        #expect(try subjects() == [first.subject, second.subject, third.subject])
    }

    @Test func whoIsGoneBelowIsNotFoundBesideWhoSharedTheIdentifier() throws {
        try change([Self.sharing(first, until: 99)])
        try change(gone: [second])
        #expect(try subjects() == [first.subject])
        // Who comes back lies among the changes.
        try change([second])
        #expect(try subjects() == [first.subject, second.subject])
    }

    @Test func aKeyIsAnsweredByItsThumbprintAsItWasChanged() throws {
        try change([Self.sharing(first, until: 99)])
        let found = try store.answer(TrustQuestion(issuer: nil, revocations: [], enrolled: .thumbprint(first.key.thumbprint))).enrolled
        #expect(found.map(\.key.expiresAt) == [99])
    }

    /// An older program's changes say nothing of it.
    @Test func changesOfAnOlderProgramHideNobody() throws {
        try change([Self.sharing(first, until: 99)])
        store.close()
        let path = fixture.folder.path("trust.recent.db")
        let connection = try SQLiteConnection(path: path, access: .readWrite, cacheKibibytes: 64)
        try connection.execute("ALTER TABLE enrolled DROP COLUMN kid_below; ALTER TABLE issuer DROP COLUMN ceiling; PRAGMA user_version = 9")
        let again = try TrustStore.open(directory: fixture.folder.path)
        defer { again.close() }
        let found = try again.answer(TrustFixture.question(kid: Self.kid)).enrolled.map(\.key.subject)
        #expect(Set(found) == [first.subject, second.subject])
    }
}
