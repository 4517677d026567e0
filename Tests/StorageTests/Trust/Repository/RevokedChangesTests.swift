import Credentials
import SiteData
import Testing

@testable import Storage

/// Whoever is among the changes is as revoked as everybody else, in whichever order things came. Whether a key is revoked is worked out when the
/// changes are finished; a tap believes it.
@Suite struct RevokedChangesTests {
    let fixture: TrustFixture
    let store: TrustStore
    let key: EnrolledKey
    let office: RepositoryOffice

    /// Every way in which a key is revoked.
    static let ways: [@Sendable (EnrolledKey) -> Revocation] = [
        { .subject($0.subject) }, { .suspended($0.subject) }, { .key(thumbprint: $0.key.thumbprint) }
    ]

    init() throws {
        fixture = try TrustFixture()
        store = try fixture.open()
        key = try fixture.enrolled(1)
        office = try RepositoryOffice([.enrolled(key), .enrolled(try fixture.enrolled(2))], site: [.ceiling(RepositoryOffice.ceiling)])
    }

    /// The key with another end: its record is among the changes.
    private var changed: PublicationRecord {
        .enrolled(EnrolledKey(keyIdentifier: key.keyIdentifier, key: key.key, use: .sign, subject: key.subject, expiresAt: 99))
    }

    private func change(_ put: [PublicationRecord] = [], gone: [RecordKey] = []) throws {
        let have = office.version
        office.publish(put, gone: gone)
        try office.change(store, from: have)
    }

    /// By both questions that taps ask, with the file as it is and opened anew.
    private func isRevoked() throws -> Bool {
        let again = try TrustStore.open(directory: fixture.folder.path)
        defer { again.close() }
        var answers: [Bool] = []
        for store in [store, again] {
            for question in [TrustFixture.question(kid: key.keyIdentifier),
                             TrustQuestion(issuer: nil, revocations: [], enrolled: .thumbprint(key.key.thumbprint))] {
                answers += try store.answer(question).enrolled.map(\.isRevoked)
            }
        }
        #expect(answers.count == 4 && Set(answers).count == 1, "\(answers)")
        return answers.contains(true)
    }

    private func statesRevoked() throws -> Bool {
        try TrustFileFacts(of: SQLiteConnection(path: fixture.folder.path("trust.recent.db"), access: .immutable, cacheKibibytes: 64)).statesRevoked
    }

    @Test(arguments: 0..<ways.count) func whoWasRevokedBeforeIsNotLetInByANewRow(way: Int) throws {
        office.publish([.revocation(Self.ways[way](key))])
        try office.apply(to: store)
        try change([changed])
        #expect(try isRevoked() && statesRevoked())
    }

    @Test(arguments: 0..<ways.count) func whoIsRevokedWithTheNewRowIsRevoked(way: Int) throws {
        try office.apply(to: store)
        try change([changed, .revocation(Self.ways[way](key))])
        #expect(try isRevoked())
    }

    @Test(arguments: 0..<ways.count) func laterChangesRevokeAnEarlierRow(way: Int) throws {
        try office.apply(to: store)
        try change([changed])
        #expect(try !isRevoked())
        try change([.revocation(Self.ways[way](key))])
        #expect(try isRevoked())
        // Others that come and go make nothing of it.
        try change([.revocation(.subject("person-2"))])
        #expect(try isRevoked())
    }

    @Test(arguments: 0..<ways.count) func whatChangesRevokedTheyTakeBack(way: Int) throws {
        let revocation = Self.ways[way](key)
        try office.apply(to: store)
        try change([changed, .revocation(revocation)])
        try change(gone: [RecordKey(revocation: revocation)])
        #expect(try !isRevoked())
        try change([.revocation(revocation)])
        #expect(try isRevoked())
    }

    @Test(arguments: 0..<ways.count) func changesTakeBackWhatTheFileBelowSays(way: Int) throws {
        let revocation = Self.ways[way](key)
        office.publish([.revocation(revocation)])
        try office.apply(to: store)
        try change([changed])
        try change(gone: [RecordKey(revocation: revocation)])
        #expect(try !isRevoked())
        // And once more: it is below, gone, and among the changes.
        try change([.revocation(revocation)])
        #expect(try isRevoked())
        try change(gone: [RecordKey(revocation: revocation)])
        #expect(try !isRevoked())
    }

    /// One of two is taken back.
    @Test func whoIsRevokedTwiceStaysRevoked() throws {
        office.publish([.revocation(.suspended(key.subject))])
        try office.apply(to: store)
        try change([changed, .revocation(.key(thumbprint: key.key.thumbprint))])
        try change(gone: [RecordKey(revocation: .suspended(key.subject))])
        #expect(try isRevoked())
        try change(gone: [RecordKey(revocation: .key(thumbprint: key.key.thumbprint))])
        #expect(try !isRevoked())
    }

    /// The key goes to somebody else, who is not revoked; and back.
    @Test func aRevokedPersonIsNoConcernOfTheNextHolderOfTheKey() throws {
        office.publish([.revocation(.subject(key.subject))])
        try office.apply(to: store)
        try change([.enrolled(EnrolledKey(keyIdentifier: key.keyIdentifier, key: key.key, use: .sign, subject: "somebody else"))])
        #expect(try !isRevoked())
        try change([changed])
        #expect(try isRevoked())
    }

    @Test(arguments: 0..<ways.count) func theSiteRevokesAChangedRow(way: Int) throws {
        try office.apply(to: store)
        try change([changed])
        office.site.append(.revocation(Self.ways[way](key)))
        try office.change(store, withSite: true)
        #expect(try isRevoked())
        // People who change their list take nothing of it back, and write it into no row.
        try change([.revocation(.subject("person-2"))])
        #expect(try isRevoked())
        office.site.removeLast()
        try office.change(store, withSite: true)
        #expect(try !isRevoked())
    }

    // Files of an older program ------------------------------------------------------------------

    /// What an older program left: its rows all say that nobody is revoked, and the file does not say that it knows.
    private func makeOlder(schema: Bool) throws {
        let older = try SQLiteConnection(path: fixture.folder.path("trust.recent.db"), access: .readWrite, cacheKibibytes: 64)
        try older.execute("UPDATE enrolled SET revoked = 0; UPDATE publication SET states_revoked = 0")
        if schema { try older.execute("ALTER TABLE publication DROP COLUMN states_revoked; ALTER TABLE enrolled DROP COLUMN kid_below; ALTER TABLE issuer DROP COLUMN ceiling; PRAGMA user_version = 8") }
    }

    @Test(arguments: [false, true], [false, true]) func changesOfAnOlderProgramAreAskedAtEachTap(isBelow: Bool, hasOldSchema: Bool) throws {
        if isBelow { office.publish([.revocation(.subject(key.subject))]) }
        try office.apply(to: store)
        try change(isBelow ? [changed] : [changed, .revocation(.subject(key.subject))])
        store.close()
        try makeOlder(schema: hasOldSchema)
        let again = try TrustStore.open(directory: fixture.folder.path)
        #expect(try again.answer(TrustFixture.question(kid: key.keyIdentifier)).enrolled.map(\.isRevoked) == [true])
        #expect(try !statesRevoked())
        // Its rows are worked out with the next changes.
        office.publish([.revocation(.subject("person-2"))])
        try office.change(again, from: office.version - 1)
        #expect(try again.answer(TrustFixture.question(kid: key.keyIdentifier)).enrolled.map(\.isRevoked) == [true])
        #expect(try statesRevoked())
        again.close()
    }
}
