import Credentials
import Cryptography
import SiteData
import SiteRules
import Testing

@testable import Storage

/// Of what a file of changes speaks taps must look there; of anything else they need not.
@Suite struct TouchedKeysTests {
    let fixture: TrustFixture
    init() throws { fixture = try TrustFixture() }

    private func touched() throws -> TouchedKeys {
        let path = fixture.folder.path + "/trust.recent.db"
        return try TouchedKeys(of: SQLiteConnection(path: path, access: .immutable, cacheKibibytes: 64))
    }

    @Test func everyChangedKeyIsAmongThem() throws {
        let keys = try (0..<3).map { try fixture.enrolled($0) }
        let card = UIDOnlyCard(number: try UIDOnlyCardNumber([1, 2, 3, 4]), subject: "alice")
        let gone: [PublicationRecord] = [.enrolled(keys[0]), .rule(.membership(Membership(group: "a", subject: "carol"))), .revocation(.subject("erin"))]
        let office = try RepositoryOffice(gone + [.enrolled(keys[2])])
        let store = try fixture.open()
        try office.apply(to: store)
        let put: [PublicationRecord] = [
            .enrolled(keys[1]), .uidOnlyCard(card), .revocation(.suspended("dave")), .rule(.membership(Membership(group: "a", subject: "alice")))
        ]
        office.publish(put, gone: gone.map { RecordKey($0) })
        try office.change(store, from: 1)
        let touched = try touched()
        for record in put + gone { #expect(touched.mayHave(RecordKey(record).kind, RecordKey(record).bytes)) }
        // Memberships are asked for by person.
        for subject in ["alice", "carol"] { #expect(touched.mayHave(RecordKey.Kind.membership, PersonDigest(subject: subject).bytes)) }
        #expect(touched.mayHave(TouchedKeys.keyIdentifier, keys[1].keyIdentifier))
        for revocation in [Revocation.subject("erin"), .suspended("dave")] { #expect(touched.mayHave(RevocationRow(revocation))) }
        #expect(!touched.mayHave(RevocationRow(.subject("dave"))))
        // Who is not touched is not looked for.
        #expect(!touched.mayHave(RecordKey.Kind.enrolled, keys[2].key.thumbprint))
        #expect(!touched.mayHave(TouchedKeys.keyIdentifier, keys[2].keyIdentifier))
        #expect(!touched.mayHave(RecordKey.Kind.membership, PersonDigest(subject: "erin").bytes))
        #expect(!touched.mayHave(RecordKey.Kind.uidOnlyCard, keys[1].key.thumbprint))
        #expect(try store.answer(TrustFixture.question(kid: keys[2].keyIdentifier)).enrolled.count == 1)
    }
}
