import ControlProtocol
import Credentials
import Cryptography
import Encoding
import Gate
import Readers
import SiteData
import SiteRules
import Testing
import Waits

@testable import Controller
@testable import Lanes

/// A card that is known by its number alone, at a lane (V8).
@Suite("UID-only cards at the lane (V8)") final class UIDOnlyCardTapTests {
    private let site: TestSite
    private let events = EventLog()
    private static let number: [UInt8] = [0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6]

    init() throws { site = try TestSite() }

    private func gate(_ lane: String = "uid-only-cards = true", _ records: [PublicationRecord]? = nil) throws -> Controller {
        try site.configure(lane: lane.contains("cooldown-success-ms") ? lane : "cooldown-success-ms = 0\n" + lane)
        let controller = try site.controller()
        let events = self.events
        controller.listen { events.add($0) }
        try site.publish(try records ?? [Self.card()], to: controller)
        return controller
    }

    private static func card(audiences: [String] = [], notBefore: Int64? = nil, expiresAt: Int64? = nil) throws -> PublicationRecord {
        .uidOnlyCard(UIDOnlyCard(number: try UIDOnlyCardNumber(number), subject: "ada", audiences: audiences, notBefore: notBefore, expiresAt: expiresAt))
    }

    private func result(_ field: String) -> JSON? { events.all.last { $0.kind == .result }?.fields[field] }

    private func unproven(_ controller: Controller) throws -> [JSON] {
        _ = try controller.records()
        return try controller.journalPage(JournalQuery(unproven: true))["records"]?.array ?? []
    }

    // Granted -----------------------------------------------------------------------------------

    @Test func aCardOfTheListOpensAndIsMarkedEverywhere() throws {
        let controller = try gate()
        #expect(controller.present(card: Self.number, at: "entry") == .done)
        #expect(events.reasons == ["granted"])
        #expect(events.relays.first == true)
        #expect(result("assurance")?.string == "low")
        #expect(events.all.first { $0.kind == .started }?.fields["assurance"]?.string == "low")
        let outcome = try #require(try controller.records().last { $0["kind"]?.string == "outcome" })
        #expect(outcome["subject"]?.string == "ada")
        #expect(outcome["reason"]?.string == "granted")
        #expect(outcome["carrier"]?.string == "nfc")
        #expect(outcome["detail"]?["assurance"]?.string == "low")
        #expect(outcome["detail"]?["command"]?.string == "tokn")
        #expect(outcome["evidence"] == nil)
        #expect(try unproven(controller).first { $0["kind"]?.string == "attempt" }?["detail"]?["assurance"]?.string == "low")
    }

    @Test func aPhoneIsNotMarked() throws {
        let controller = try gate()
        _ = controller.present(try site.phone(), at: "entry")
        #expect(events.reasons == ["granted"])
        #expect(result("assurance") == nil)
        #expect(try controller.records().allSatisfy { $0["detail"]?["assurance"] == nil })
    }

    /// No part of the number, nor what could be tried until it fits.
    @Test func theNumberStandsNowhere() throws {
        let controller = try gate()
        _ = controller.present(card: Self.number, at: "entry")
        _ = controller.present(card: [0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF7], at: "entry")
        let digest = Hex.encode(SHA256.hash(Self.number).prefix(4))
        let told = try events.all.map { JSON.object($0.fields).text } + controller.records().map(\.text) + unproven(controller).map(\.text)
            + [controller.status.text]
        #expect(told.contains { $0.contains("granted") })
        // Longer than any card's number are what was drawn (boot and stream identifiers, keys): four digits stand in it by chance.
        let drawn = /[0-9a-z_-]{32,}/
        for text in told {
            #expect(!text.lowercased().replacing(drawn, with: "").contains("a1b2"), "\(text)")
            #expect(!text.contains(digest))
        }
    }

    @Test func statusTellsOfCardsAndOfLanesThatTakeThem() throws {
        let controller = try gate()
        #expect(controller.status["trust"]?["uidOnlyCards"]?.integer == 1)
        #expect(controller.status["lanes"]?.array?.first?["uidOnlyCards"]?.bool == true)
    }

    // Refused -----------------------------------------------------------------------------------

    /// Unless an installer switched them on; without a cooldown, for the next phone is somebody else.
    @Test func aLaneTakesNoneByItself() throws {
        let controller = try gate("cooldown-failure-ms = 60000")
        #expect(controller.present(card: Self.number, at: "entry") == .done)
        #expect(events.reasons == ["plain-cards-off"])
        #expect(result("assurance")?.string == "low")
        _ = controller.present(try site.phone(), at: "entry")
        #expect(events.reasons == ["plain-cards-off", "granted"])
        #expect(events.relays.filter { $0 }.count == 1)
        let record = try #require(try unproven(controller).first { $0["reason"]?.string == "plain-cards-off" })
        #expect(record["detail"]?["assurance"]?.string == "low")
        #expect(record["subject"] == nil && record["credential"] == nil)
    }

    @Test func aReloadSwitchesThemOnAndOff() throws {
        let controller = try gate("")
        for (lane, reason) in [("uid-only-cards = true", "granted"), ("uid-only-cards = false", "plain-cards-off")] {
            try site.configure(lane: "cooldown-success-ms = 0\n" + lane)
            _ = try controller.reload()
            _ = controller.present(card: Self.number, at: "entry")
            #expect(events.reasons.last == reason)
        }
    }

    /// A number of four bytes that begins with 08 is a phone's, made up for this time.
    @Test(arguments: [[0x08, 1, 2, 3], [], [0x04], [UInt8](repeating: 4, count: 8), [0x04, 0xA1, 0xB2, 0xC3]] as [[UInt8]])
    func anyOtherNumberIsAStrangers(number: [UInt8]) throws {
        let controller = try gate()
        #expect(controller.present(card: number, at: "entry") == .done)
        #expect(events.reasons == ["unknown-key"])
        #expect(events.relays == [])
        let record = try #require(try unproven(controller).first { $0["reason"]?.string == "unknown-key" })
        #expect(record["detail"]?["assurance"]?.string == "low")
        #expect(record["credential"] == nil)
    }

    @Test func aStrangersCardStartsTheCooldownOfFailures() throws {
        let controller = try gate("uid-only-cards = true\ncooldown-failure-ms = 60000")
        _ = controller.present(card: [1, 2, 3, 4], at: "entry")
        _ = controller.present(card: Self.number, at: "entry")
        #expect(events.reasons == ["unknown-key", "cooldown-failure"])
    }

    private static let stranger: [UInt8] = [0x04, 1, 2, 3, 4, 5, 6]

    /// What shows outside of a card: the events of its presentation but for their time, and what the reader then does.
    private func outside(_ card: [UInt8], _ controller: Controller) -> [String] {
        let before = events.all.count
        let next = switch controller.present(card: card, at: "entry") {
        case .done: "done"
        case .interrupted: "interrupted"
        case .again: "again"
        }
        // Indicators are shown by another thread, and once where two would be the same.
        let shown = events.all.dropFirst(before).filter { $0.kind != .indicator }.map { event in
            var fields = event.fields
            fields["retryAfter"] = fields["retryAfter"].map { _ in .string("some") }
            return "\(event.kind.rawValue) \(JSON.object(fields).text)"
        }
        return shown + [next]
    }

    private static let shut = [
        ("uid-only-cards = true\ncooldown-failure-ms = 60000", "cooldown-failure"),
        ("uid-only-cards = true\nsecond-factor = \"always\"\ncooldown-failure-ms = 60000", "second-factor"),
        ("uid-only-cards = true\nautomatic = false\ncooldown-failure-ms = 60000", "command-not-allowed")
    ]

    /// One guess starts the pause; what is guessed in it would be free if the lane told which number is on the list.
    @Test(arguments: shut) func guessingWhileTheLaneOpensForNoCardTellsNoNumber(lane: String, reason: String) throws {
        let controller = try gate(lane)
        _ = controller.present(card: [1, 2, 3, 4], at: "entry")
        let listed = outside(Self.number, controller), unlisted = outside(Self.stranger, controller)
        #expect(listed == unlisted)
        #expect(listed.contains { $0.contains(reason) } && !listed.contains { $0.contains("credential") })
        #expect(try controller.records().last { $0["kind"]?.string == "outcome" }?["subject"]?.string == "ada", "the journal knows")
        #expect(try unproven(controller).contains { $0["reason"]?.string == "unknown-key" })
        #expect(events.relays == [])
    }

    @Test(arguments: [number, stranger]) func duringACooldownEveryNumberShowsTheSameIndicator(card: [UInt8]) throws {
        let controller = try gate("uid-only-cards = true\ncooldown-failure-ms = 60000")
        _ = controller.present(card: [1, 2, 3, 4], at: "entry")
        _ = controller.present(card: card, at: "entry")
        try waitUntil("the lane to tell the card to wait") {
            events.all.contains { $0.kind == .indicator && $0.fields["indicator"]?.string == "wait" }
        }
    }

    /// A number on the list that may not pass is refused as any other is: the pause after it tells nothing either.
    @Test(arguments: [number, stranger]) func aListedNumberThatMayNotPassStartsTheSamePauseAsAnUnlistedOne(card: [UInt8]) throws {
        let controller = try gate("uid-only-cards = true\ncooldown-failure-ms = 60000", [Self.card(expiresAt: 1)])
        _ = controller.present(card: card, at: "entry")
        #expect(outside(Self.stranger, controller).last == "again")
        #expect(events.relays == [])
    }

    @Test func itIsJudgedLikeAnEnrolledKey() throws {
        let past = try gate("uid-only-cards = true\ncooldown-failure-ms = 0", [Self.card(expiresAt: 1)])
        func tap(_ records: [PublicationRecord]) throws {
            try site.publish(records, to: past)
            _ = past.present(card: Self.number, at: "entry")
        }
        try tap([Self.card(expiresAt: 1)])
        try tap([Self.card(notBefore: 9_000_000_000)])
        try tap([Self.card(audiences: ["tapstile:elsewhere"])])
        try tap([Self.card(), .revocation(.subject("ada"))])
        try tap([])
        #expect(events.reasons == ["expired", "not-yet-valid", "wrong-audience", "revoked", "unknown-key"])
        #expect(events.relays == [])
        let outcomes = try past.records().filter { $0["kind"]?.string == "outcome" }
        #expect(outcomes.map { $0["subject"]?.string } == ["ada", "ada", "ada", "ada"])
        #expect(outcomes.allSatisfy { $0["detail"]?["assurance"]?.string == "low" })
    }

    @Test func itIsNoSecondFactor() throws {
        let controller = try gate("uid-only-cards = true\nsecond-factor = \"always\"")
        _ = controller.present(card: Self.number, at: "entry")
        #expect(events.reasons == ["second-factor"])
        #expect(events.relays == [])
    }

    @Test func aLaneThatRunsNothingByItselfRunsNothingForACard() throws {
        let controller = try gate("uid-only-cards = true\nautomatic = false")
        _ = controller.present(card: Self.number, at: "entry")
        #expect(events.reasons == ["command-not-allowed"])
    }

    @Test func theRulesOfTheSiteBindIt() throws {
        let rules = try SiteRulesTapTests.records([
            .access(AccessRule(group: "past", schedule: "never")), .membership(Membership(group: "past", subject: "ada"))
        ])
        let controller = try gate("uid-only-cards = true", rules + [Self.card()])
        _ = controller.present(card: Self.number, at: "entry")
        #expect(events.reasons == ["outside-schedule"])
    }

    /// A person's phone and card are one person.
    @Test func antiPassbackBindsIt() throws {
        let controller = try gate("uid-only-cards = true\nzone = \"hall\"\ncooldown-failure-ms = 0")
        controller.parts.state.passback.adopt(ZoneRules(
            zones: { ["hall"] }, policy: { $0 == "hall" ? ZonePolicy(mode: .hard) : .none }, exemptGroups: { _ in [] }, lastReset: { _, _ in nil }))
        _ = controller.present(try site.phone { $0 = self.site.claims($0.confirmationKey.key, subject: "ada") }, at: "entry")
        _ = controller.present(card: Self.number, at: "entry")
        #expect(events.reasons == ["granted", "anti-passback"])
    }

    @Test func aCardThatCameTooEarlyIsServedWithoutBeingLifted() throws {
        let controller = try gate("uid-only-cards = true\ncooldown-success-ms = 60000")
        _ = controller.present(try site.phone(), at: "entry")
        guard case .again(let milliseconds) = controller.present(card: Self.number, at: "entry") else {
            Issue.record("\(events.reasons)")
            return
        }
        #expect((1...60_000).contains(milliseconds))
        #expect(events.reasons == ["granted", "cooldown-success"])
    }

    /// It has signed nothing.
    @Test func thereIsNoEvidenceOfIt() throws {
        let controller = try gate()
        _ = controller.present(card: Self.number, at: "entry")
        let sequence = try #require(try controller.records().last { $0["kind"]?.string == "outcome" }?["sequence"]?.integer)
        do throws(ControlError) {
            _ = try controller.proveRecord(UInt64(sequence))
            Issue.record("there is evidence")
        } catch {
            #expect(error.code == "record-without-evidence")
            #expect(error.message.contains("UID-only card"))
        }
    }
}
