import CSQLite
import Credentials
import SiteData
import SiteRules
import Testing

@testable import Storage

/// UID-only cards of the site data (V8).
@Suite struct TrustCardTests {
    static func card(_ number: UInt8, subject: String = "anna", audiences: [String] = [], expiresAt: Int64? = nil) throws -> UIDOnlyCard {
        UIDOnlyCard(number: try UIDOnlyCardNumber([0x04, number, 2, 3, 4, 5, 6]), subject: subject, audiences: audiences, notBefore: 7,
                  expiresAt: expiresAt)
    }

    private func candidate(_ card: UIDOnlyCard, in store: TrustStore) throws -> TrustAnswer.CardCandidate? {
        try store.answer(TrustQuestion(about: card.number)).card
    }

    @Test func cardsComeAndGoWithTheirPublication() throws {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        let cards = [try Self.card(1), try Self.card(2, subject: "ben", audiences: ["tapstile:hq/lobby"], expiresAt: 9)]
        try fixture.apply(try fixture.publication(cards.map { .uidOnlyCard($0) }), to: store)
        for card in cards { #expect(try candidate(card, in: store) == TrustAnswer.CardCandidate(card: card, isRevoked: false)) }
        #expect(try candidate(try Self.card(3), in: store) == nil)
        #expect(store.status.publication?.counts.uidOnlyCards == 2)
        store.close()
        let again = try fixture.open()
        #expect(try candidate(cards[1], in: again)?.card == cards[1])
        #expect(again.status.publication?.counts.uidOnlyCards == 2)
        try fixture.apply(try fixture.publication([], version: 2), to: again)
        #expect(try candidate(cards[0], in: again) == nil)
    }

    /// The first bytes of a longer number are another card.
    @Test func aCardIsKnownByItsWholeNumber() throws {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        let short = UIDOnlyCard(number: try UIDOnlyCardNumber([0x04, 1, 2, 3]), subject: "anna")
        try fixture.apply(try fixture.publication([.uidOnlyCard(short)]), to: store)
        #expect(try candidate(short, in: store) != nil)
        #expect(try candidate(try Self.card(1), in: store) == nil)
    }

    @Test func aCardIsRevokedWithItsSubject() throws {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        let cards = [try Self.card(1), try Self.card(2, subject: "mallory")]
        let records = cards.map(PublicationRecord.uidOnlyCard) + [.revocation(.subject("mallory"))]
        try fixture.apply(try fixture.publication(records), to: store)
        #expect(try cards.map { try candidate($0, in: store)?.isRevoked } == [false, true])
    }

    @Test func aCardIsSuspendedWithItsSubject() throws {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        let cards = [try Self.card(1), try Self.card(2, subject: "sam")]
        let records = cards.map(PublicationRecord.uidOnlyCard) + [.revocation(.suspended("sam"))]
        try fixture.apply(try fixture.publication(records), to: store)
        #expect(try cards.map { try candidate($0, in: store)?.isRevoked } == [false, true])
    }

    @Test func aCardHasTheGroupsOfItsSubject() throws {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        let card = try Self.card(1)
        try fixture.apply(try fixture.publication([
            .uidOnlyCard(card), .rule(.access(AccessRule(group: "staff"))), .rule(.membership(Membership(group: "staff", subject: "anna")))
        ]), to: store)
        #expect(try candidate(card, in: store)?.groups == ["staff"])
    }

    /// Two people with one card: nobody could say who it was.
    @Test func oneCardOfTwoIsRefusedWhole() throws {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        try fixture.apply(try fixture.publication([.uidOnlyCard(try Self.card(1))]), to: store)
        let twice: [PublicationRecord] = [.uidOnlyCard(try Self.card(1)), .uidOnlyCard(try Self.card(1, subject: "ben"))]
        #expect(throws: ImportError.duplicateUIDOnlyCard) { try store.apply(siteFile: twice, site: "hq", clock: fixture.clock) }
        #expect(try candidate(try Self.card(1), in: store)?.card.subject == "anna")
        #expect(store.status.publication?.version == 1)
    }

    @Test func theLookUpGoesByTheNumber() throws {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        try fixture.apply(try fixture.publication([.uidOnlyCard(try Self.card(1))]), to: store)
        let connection = try SQLiteConnection(path: fixture.folder.path("trust.db"), access: .immutable, cacheKibibytes: 256)
        let plan = try connection.prepare("EXPLAIN QUERY PLAN SELECT subject FROM plain_card WHERE uid = ?1")
        #expect(try plan.step())
        #expect(plan.text(3).hasPrefix("SEARCH plain_card USING PRIMARY KEY"))
    }
}
