import Credentials
import Cryptography
import Encoding
import SiteRules
import Testing
@testable import SiteData

/// What is too much for people, each thing by itself.
@Suite struct CeilingTests {
    private let key: PublicKey
    private let ceiling = Ceiling(
        commands: ["tokn", "hold"], audiences: ["tapstile:hq/lobby", "tapstile:hq/yard/gate"], groups: ["staff"], longest: 100, uidOnlyCards: true,
        userVerification: false)

    init() throws { key = try SigningKey.generate().publicKey }

    private func enrolled(
        _ scope: [String] = ["tokn"], at audiences: [String] = ["tapstile:hq/lobby"], until: Int64? = 1100, attested: Bool = false
    ) -> PublicationRecord {
        .enrolled(EnrolledKey(keyIdentifier: [], key: key, use: .sign, subject: "a", scope: scope, audiences: audiences, expiresAt: until,
                              userVerification: attested))
    }

    private func excess(of record: PublicationRecord, under ceiling: Ceiling? = nil) -> CeilingExcess? {
        do throws(CeilingExcess) {
            try (ceiling ?? self.ceiling).check(record, issuedAt: 1000)
            return nil
        } catch {
            return error
        }
    }

    @Test func whatIsAllowed() throws {
        #expect(excess(of: enrolled()) == nil)
        #expect(excess(of: enrolled(["hold", "tokn"], at: ["tapstile:hq/lobby/north", "tapstile:hq/yard/gate"], until: 3)) == nil)
        #expect(excess(of: .rule(.membership(Membership(group: "staff", subject: "a")))) == nil)
        #expect(excess(of: .revocation(.subject("a"))) == nil)
        #expect(excess(of: enrolled(at: [], until: nil, attested: true), under: .standard) == nil)
    }

    @Test func eachThingThatIsTooMuch() throws {
        #expect(excess(of: enrolled(["tokn", "open"])) == .command("open"))
        #expect(excess(of: enrolled(at: [])) == .wholeSite)
        #expect(excess(of: enrolled(at: ["tapstile:hq/lobby", "tapstile:hq"])) == .audience("tapstile:hq"))
        #expect(excess(of: enrolled(at: ["tapstile:hq/lobby2"])) == .audience("tapstile:hq/lobby2"))
        #expect(excess(of: enrolled(at: ["tapstile:hq/yard"])) == .audience("tapstile:hq/yard"))
        #expect(excess(of: enrolled(until: 1101)) == .tooLong)
        #expect(excess(of: enrolled(until: nil)) == .noEnd)
        #expect(excess(of: enrolled(attested: true)) == .userVerification)
        #expect(excess(of: .rule(.membership(Membership(group: "board", subject: "a")))) == .group("board"))
    }

    @Test func cardsAreHeldAgainstItToo() throws {
        func card(_ audiences: [String] = ["tapstile:hq/lobby"], until: Int64? = 5) throws -> PublicationRecord {
            .uidOnlyCard(UIDOnlyCard(number: try UIDOnlyCardNumber([1, 2, 3, 4]), subject: "a", audiences: audiences, expiresAt: until))
        }
        #expect(try excess(of: card()) == nil)
        #expect(try excess(of: card([])) == .wholeSite)
        #expect(try excess(of: card(until: nil)) == .noEnd)
        #expect(try excess(of: card(), under: .standard) == .uidOnlyCards)
        let hold = Ceiling(commands: ["hold"], audiences: [], groups: nil, longest: nil, uidOnlyCards: true, userVerification: true)
        #expect(try excess(of: card(), under: hold) == .command("tokn"))
    }

    /// Two spellings of one text are two texts.
    @Test func textsAreComparedByTheirBytes() {
        let composed = "caf\u{e9}", decomposed = "cafe\u{301}"
        let cafe = Ceiling(commands: ["tokn"], audiences: [], groups: [composed], longest: nil, uidOnlyCards: false, userVerification: false)
        #expect(excess(of: .rule(.membership(Membership(group: composed, subject: "a"))), under: cafe) == nil)
        #expect(excess(of: .rule(.membership(Membership(group: decomposed, subject: "a"))), under: cafe) == .group(decomposed))
    }

    @Test func itsRecordHasOneForm() throws {
        for given in [ceiling, .standard] {
            let record = PublicationRecord.ceiling(given)
            #expect(try PublicationRecord(cbor: CBOR.decode(record.encoded)) == record)
        }
        let wrong: [CBOR] = [
            [13], [13, [], [], .null, .null, .false], [13, "x", [], .null, .null, .false, .false], [13, [""], [], .null, .null, .false, .false],
            [13, [], [], "x", .null, .false, .false], [13, [], [], .null, 0, .false, .false], [13, [], [], .null, "x", .false, .false],
            [13, [], [], .null, .null, 1, .false], [13, [], [], .null, .null, .false, .null]
        ]
        for (index, cbor) in wrong.enumerated() { #expect(throws: PublicationRecord.Fault.malformed, "case \(index)") { try PublicationRecord(cbor: cbor) } }
    }

    @Test func words() throws {
        let word = try #require(SiteMessage(language: "de", name: "granted", text: "Bitte"))
        #expect(try PublicationRecord(cbor: CBOR.decode(PublicationRecord.message(word).encoded)) == .message(word))
        #expect(SiteMessage(language: "", name: "x", text: "x") == nil)
        #expect(SiteMessage(language: "de", name: "x", text: "a\nb") == nil)
        #expect(SiteMessage(language: "de", name: "x", text: String(repeating: "x", count: 513)) == nil)
        #expect(throws: PublicationRecord.Fault.malformed) { try PublicationRecord(cbor: [14, "de", "x"]) }
    }
}
