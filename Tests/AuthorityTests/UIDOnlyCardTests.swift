import Authority
import Credentials
import SiteData
import Testing

@Suite("UID-only cards of an authority (V8)")
struct UIDOnlyCardTests {
    private static let number: [UInt8] = [0x04, 1, 2, 3, 4, 5, 6]
    let scratch: ScratchFolder
    let authority: Authority

    init() throws {
        scratch = try ScratchFolder()
        authority = try makeAuthority(in: scratch)
        try scratch.write("rules.toml", Array("[people]\nuid-only-cards = true\n".utf8))
        _ = try authority.applyRules(at: scratch.path("rules.toml"), now: now)
    }

    private func published() throws -> [UIDOnlyCard] {
        try RepositoryFixture(authority, in: scratch).published().compactMap { if case .uidOnlyCard(let card) = $0 { card } else { nil } }
    }

    @Test func aGateReadsThemBack() throws {
        let (first, isReplacement) = try authority.enrol(
            card: Self.number, subject: "anna", rights: Rights(audiences: ["tapstile:north/hall"], notBefore: 5, expiresAt: 6), now: now)
        #expect(!isReplacement)
        let second = try authority.enrol(card: [1, 2, 3, 4], subject: "ben", now: now).card
        #expect(first == UIDOnlyCard(number: try UIDOnlyCardNumber(Self.number), subject: "anna", audiences: ["tapstile:north/hall"], notBefore: 5,
                                   expiresAt: 6))
        #expect(try published() == [second, first])
        var listed: [UIDOnlyCard] = []
        try authority.forEachUIDOnlyCard { card, time in
            listed.append(card)
            #expect(time == now)
        }
        #expect(listed == [second, first])
    }

    @Test func theLaterWordCounts() throws {
        _ = try authority.enrol(card: Self.number, subject: "anna", now: now)
        let (card, isReplacement) = try authority.enrol(card: Self.number, subject: "ben", now: now)
        #expect(isReplacement)
        #expect(try published() == [card])
    }

    @Test func aCardIsTakenOffTheList() throws {
        _ = try authority.enrol(card: Self.number, subject: "anna", now: now)
        try authority.remove(card: Self.number)
        #expect(try published() == [])
        #expect(throws: AuthorityError.cardUnknown) { try authority.remove(card: Self.number) }
    }

    @Test func whatNoGateWouldTakeIsRefused() throws {
        #expect(throws: AuthorityError.cardNumber(.length(5))) { try authority.enrol(card: [1, 2, 3, 4, 5], subject: "anna", now: now) }
        #expect(throws: AuthorityError.cardNumber(.random)) { try authority.enrol(card: [8, 2, 3, 4], subject: "anna", now: now) }
        #expect(throws: AuthorityError.badSubject) { try authority.enrol(card: Self.number, subject: "", now: now) }
        #expect(throws: AuthorityError.badAudience("hall")) {
            try authority.enrol(card: Self.number, subject: "anna", rights: Rights(audiences: ["hall"]), now: now)
        }
        #expect(throws: AuthorityError.cardCommand) {
            try authority.enrol(card: Self.number, subject: "anna", rights: Rights(scope: ["tokn", "hold"]), now: now)
        }
        #expect(throws: AuthorityError.badTimes) {
            try authority.enrol(card: Self.number, subject: "anna", rights: Rights(notBefore: 9, expiresAt: 9), now: now)
        }
        _ = try authority.revoke(.subject("mallory"), now: now)
        #expect(throws: AuthorityError.subjectRevoked("mallory")) { try authority.enrol(card: Self.number, subject: "mallory", now: now) }
        #expect(try published() == [])
    }

    /// A message may be written down.
    @Test func noErrorNamesANumber() {
        let errors: [AuthorityError] = [.cardNumber(.length(5)), .cardNumber(.random), .cardCommand, .cardUnknown]
        #expect(Set(errors.map(\.code)) == ["bad-uid", "card-command", "card-unknown"])
        #expect(errors.allSatisfy { $0.message.hasSuffix(".") })
    }
}
