import ControlProtocol
import Credentials
import Cryptography
import Encoding
import Gate
import SiteData
import SiteRules
import Storage
import Testing
import Waits

@testable import Controller

/// The question at 3 a.m.: each case is asked, and then tried by a tap, and both say the same.
@Suite("Explaining who would pass") struct ExplainTests {
    private static let always = SiteRulesTapTests.always

    private func rules(_ more: [SiteRecord]) throws -> [PublicationRecord] { try SiteRulesTapTests.records(more) }

    @Test func whoWouldPassIsToldSoAndUntilWhen() throws {
        let gate = try ExplainSite(), key = gate.ada(to: 3600)
        try gate.publish([.enrolled(key)])
        let said = try gate.agree(key)
        #expect(said["result"]?.string == "granted" && said["then"]?.string == "expired")
        #expect(said["until"]?.string == key.expiresAt.map { UTCText.make(seconds: $0) })
        #expect(said["sentence"]?.string?.hasPrefix("ada would pass at main (entry, nfc, in) now with key ") == true)
    }

    @Test func whatIsOfTheKeyIsTold() throws {
        let gate = try ExplainSite()
        for (key, reason) in [(gate.ada(from: -60, to: -1), "expired"), (gate.ada(from: 3600), "not-yet-valid"),
                              (gate.ada(audiences: ["tapstile:demo/attic"]), "wrong-audience"), (gate.ada(scope: ["hold"]), "scope-lacks-command")] {
            try gate.publish([.enrolled(key)])
            let said = try gate.agree(key)
            #expect(said["reason"]?.string == reason && said["rule"]?.string == "verification")
            #expect(ExplainSite.because(said).contains(reason == "wrong-audience" ? "tapstile:demo/attic" : "counts for"))
            #expect((said["until"] != nil) == (reason == "not-yet-valid"), "\(reason)")
        }
    }

    @Test func aRevocationSaysWhatItIsAndSinceWhichPublication() throws {
        let gate = try ExplainSite(), key = gate.ada()
        for (revocation, what) in [(Revocation.subject("ada"), "subject"), (.suspended("ada"), "suspended"), (.key(thumbprint: key.key.thumbprint), "key")] {
            try gate.publish([.enrolled(key), .revocation(revocation)])
            let said = try gate.agree(key)
            #expect(said["reason"]?.string == "revoked" && said["until"] == nil)
            let revoked = try gate.explain()["credentials"]?.array?.first?["revoked"]?.array ?? []
            #expect(revoked.compactMap { $0["what"]?.string } == [what])
            #expect(revoked.first?["version"]?.integer == gate.controller.parts.trust.status.publication.map { Int64($0.version) })
            #expect(ExplainSite.because(said).contains("by publication"))
        }
    }

    @Test func schedulesAreToldAndWhenTheyTurn() throws {
        let gate = try ExplainSite(), key = gate.ada()
        let bound: [SiteRecord] = [.access(AccessRule(group: "day", lanes: ["main"], schedule: "never")), .membership(Membership(group: "day", subject: "ada"))]
        try gate.publish(try rules(bound) + [.enrolled(key)])
        let said = try gate.agree(key)
        #expect(said["reason"]?.string == "outside-schedule" && said["rule"]?.string == "schedule")
        #expect(ExplainSite.because(said).contains("day during never"))
        try gate.publish(try rules([.access(AccessRule(group: "day", lanes: ["other"])), .membership(Membership(group: "day", subject: "ada"))]) + [.enrolled(key)])
        #expect(ExplainSite.because(try gate.agree(key)).contains("in no group for this lane"))
        try gate.publish(try rules([.access(AccessRule(group: "day", schedule: "always")), .membership(Membership(group: "day", subject: "ada"))]) + [.enrolled(key)])
        #expect(ExplainSite.because(try gate.agree(key)).contains("Group day, to which ada belongs, may pass main during always"))
        #expect(try gate.explain()["groups"] == ["day"])
    }

    /// 2026-11-24 is a Tuesday; Berlin is an hour ahead of UTC in winter.
    @Test func anotherTimeIsJudgedByItsSchedules() throws {
        let gate = try ExplainSite(), key = gate.ada()
        let shift = Schedule(name: "shift", week: [.tuesday: [try #require(DayWindow(opens: 8 * 60, closes: 16 * 60))]])
        try gate.publish(try rules([.schedule(shift), .access(AccessRule(group: "day", schedule: "shift")),
                                    .membership(Membership(group: "day", subject: "ada"))]) + [.enrolled(key)])
        let at = { (text: String) in try #require(UTCText.read(text)) / 1000 }
        let before = try gate.answer(at: at("2026-11-24T06:59:59Z")), within = try gate.answer(at: at("2026-11-24T07:00:00Z"))
        #expect(before["reason"]?.string == "outside-schedule" && before["until"]?.string == "2026-11-24T07:00:00Z" && before["then"]?.string == "granted")
        #expect(within["reason"]?.string == "granted" && within["until"]?.string == "2026-11-24T15:00:00Z" && within["then"]?.string == "outside-schedule")
        #expect(try gate.explain(at: at("2026-11-24T07:00:00Z"))["notes"]?.array?.contains { $0["code"]?.string == "other-time" } == true)
    }

    @Test func tooManyGroupsAreTold() throws {
        let gate = try ExplainSite(), key = gate.ada()
        let clubs = (0...Membership.mostOfOne).map { SiteRecord.membership(Membership(group: "club \($0)", subject: "ada")) }
        try gate.publish(try rules(clubs + [.access(AccessRule(group: "club 1"))]) + [.enrolled(key)])
        let said = try gate.agree(key)
        #expect(said["reason"]?.string == "outside-schedule")
        #expect(ExplainSite.because(said).contains("too-many-groups: ada is in more than 64 groups"))
    }

    /// Whoever asks at night reads the clock on the wall: 18:03 there is not 18:03 UTC.
    @Test func aTimeOnTheSitesClockIsThatOfTheSite() throws {
        let gate = try ExplainSite(), key = gate.ada()
        let shift = Schedule(name: "shift", week: [.tuesday: [try #require(DayWindow(opens: 18 * 60, closes: 19 * 60))]])
        try gate.publish(try rules([.schedule(shift), .access(AccessRule(group: "day", schedule: "shift")),
                                    .membership(Membership(group: "day", subject: "ada"))]) + [.enrolled(key)])
        let asked = try gate.controller.explain(ExplainQuery(.subject("ada"), siteTime: "2026-11-24 18:03"))
        #expect(asked["time"]?.string == "2026-11-24T17:03:00.000Z" && asked["siteTime"]?.string == "2026-11-24 18:03" && asked["timeZone"]?.string == "Europe/Berlin")
        let answer = try #require(asked["credentials"]?.array?.first?["answers"]?.array?.first)
        #expect(answer["result"]?.string == "granted")
        #expect(answer["sentence"]?.string?.contains("at 2026-11-24T17:03:00Z (2026-11-24 18:03 at the site) with") == true)
        let today = try gate.controller.explain(ExplainQuery(.subject("ada"), siteTime: "18:03"))
        #expect(today["siteTime"]?.string?.hasSuffix(" 18:03") == true)
        for unknown in ["25:00", "tomorrow"] {
            #expect(throws: ControlError(code: "request-malformed", message: "")) { try gate.controller.explain(ExplainQuery(.subject("ada"), siteTime: unknown)) }
        }
        try gate.publish([.enrolled(key)])
        #expect(throws: ControlError(code: "site-time-unknown", message: "")) { try gate.controller.explain(ExplainQuery(.subject("ada"), siteTime: "18:03")) }
    }

    @Test func aPlanThatClosesTheLaneThenIsSeen() throws {
        let gate = try ExplainSite(), key = gate.ada()
        let night = Schedule(name: "night", week: [.tuesday: [try #require(DayWindow(opens: 20 * 60, closes: 22 * 60))]])
        try gate.publish(try rules([.schedule(night), .lanePlan(LanePlan(lane: "main", entries: [LanePlanEntry(schedule: "night", mode: .closed)]))]) + [.enrolled(key)])
        let noon = try #require(UTCText.read("2026-11-24T12:00:00Z")) / 1000
        let said = try gate.answer(at: noon)
        #expect(said["reason"]?.string == "granted" && said["until"]?.string == "2026-11-24T19:00:00Z" && said["then"]?.string == "lane-closed")
        let closed = try gate.answer(at: noon + 8 * 3600)
        #expect(closed["reason"]?.string == "lane-closed" && closed["until"]?.string == "2026-11-24T21:00:00Z")
        #expect(ExplainSite.because(closed).contains("closed, by schedule (night)"))
    }

    @Test func theLaneAndWhoAskedForItsModeAreTold() throws {
        let gate = try ExplainSite(), key = gate.ada()
        try gate.publish([.enrolled(key)])
        _ = try gate.controller.act(LaneRequest(lane: "main", action: .mode(.lockDown, direction: nil, milliseconds: 3_600_000)), by: Requester(user: 17, process: 4))
        let said = try gate.agree(key)
        #expect(said["reason"]?.string == "lane-closed" && said["rule"]?.string == "lane" && said["then"]?.string == "granted")
        #expect(ExplainSite.because(said).contains("locked-down, by operator (user 17)"))
    }

    @Test func aSecondFactorIsWantedOfThoseWithoutOne() throws {
        let gate = try ExplainSite(lane: ExplainSite.noCooldown + "second-factor = \"always\"")
        for (attested, reason) in [(false, "second-factor"), (true, "granted")] {
            let key = gate.ada(attested: attested)
            try gate.publish([.enrolled(key)])
            #expect(try gate.agree(key)["reason"]?.string == reason)
        }
    }

    @Test func commandsAreJudgedByTheirNames() throws {
        let gate = try ExplainSite(), key = gate.ada(scope: ["tokn", "hold"])
        try gate.publish([.enrolled(key)])
        #expect(ExplainSite.because(try gate.agree(key, command: "hold")).contains("The lane runs tokn, and not hold."))
        #expect(try gate.agree(key, command: "open")["reason"]?.string == "scope-lacks-command")
    }

    @Test func whoIsInsideIsToldSinceWhen() throws {
        let gate = try ExplainSite(lane: ExplainSite.noCooldown + "zone = \"hall\""), key = gate.ada()
        try gate.publish(try rules([.zone(ZoneRule(zone: "hall", passback: .hard))]) + [.enrolled(key)])
        #expect(try gate.agree(key)["reason"]?.string == "granted")
        let said = try gate.agree(key)
        #expect(said["reason"]?.string == "anti-passback" && said["rule"]?.string == "passback")
        #expect(ExplainSite.because(said).contains("ada is in hall since"))
        #expect(try gate.explain()["inside"]?.array?.first?["zone"]?.string == "hall")
    }

    @Test func aWaitAndARestEndWhenTheySay() throws {
        let gate = try ExplainSite(lane: ExplainSite.noCooldown + "zone = \"hall\""), key = gate.ada()
        try gate.publish(try rules([.zone(ZoneRule(zone: "hall", passback: .timed(minutes: 10)))]) + [.enrolled(key)])
        try gate.agree(key)
        let said = try gate.agree(key), since = try #require(gate.controller.parts.state.passback.people(nil, zone: "hall").first?.since)
        #expect(said["reason"]?.string == "anti-passback" && said["then"]?.string == "granted")
        #expect(said["until"]?.string == UTCText.make(seconds: (since + 600_000 + 999) / 1000))
    }

    @Test func aCooldownSaysHowLong() throws {
        let gate = try ExplainSite(lane: "cooldown-success-ms = 600000"), key = gate.ada()
        try gate.publish([.enrolled(key)])
        try gate.agree(key)
        let said = try gate.agree(key)
        #expect(said["reason"]?.string == "cooldown-success" && (1...600_000).contains(said["retryAfter"]?.integer ?? 0))
        let tomorrow = try gate.answer(at: gate.controller.parts.clock.now().seconds + 86_400)
        #expect(tomorrow["reason"]?.string == "granted", "by then it is over")
    }

    @Test func aJournalThatCannotBeWrittenIsTold() throws {
        let gate = try ExplainSite(), key = gate.ada()
        try gate.publish([.enrolled(key)])
        _ = try gate.controller.records()
        let lock = try DatabaseLock(gate.site.path("state/journal.db"))
        #expect(try gate.tap(key) == .auditUnavailable)
        try waitUntil("the journal to be known to fail") { gate.controller.parts.journal.status.failure != nil }
        let said = try gate.answer()
        #expect(said["reason"]?.string == "audit-unavailable" && said["rule"]?.string == "audit")
        lock.release()
    }

    // Cards and tokens ---------------------------------------------------------------------------

    @Test func aCardIsJudgedInTheStepsOfACard() throws {
        let number: [UInt8] = [0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6]
        for (lane, reason) in [("", "plain-cards-off"), ("uid-only-cards = true", "granted"), ("uid-only-cards = true\nsecond-factor = \"always\"", "second-factor")] {
            let gate = try ExplainSite(lane: ExplainSite.noCooldown + lane), events = EventLog()
            gate.controller.listen { events.add($0) }
            try gate.publish([.uidOnlyCard(UIDOnlyCard(number: try UIDOnlyCardNumber(number), subject: "ada"))])
            #expect(try gate.answer()["reason"]?.string == reason)
            _ = gate.controller.present(card: number, at: "entry")
            #expect(events.reasons == [reason])
            let all = try gate.explain().text.lowercased()
            #expect(!all.contains("a1b2"), "the number is a secret of sorts")
        }
    }

    /// The gate does not know who holds tokens, and says so; what is against the person it knows all the same.
    @Test func aTokenThatWasNeverShownIsJudgedByWhatIsKnownOfItsHolder() throws {
        let gate = try ExplainSite()
        try gate.publish(try rules([.access(AccessRule(group: "day", schedule: "never")), .membership(Membership(group: "day", subject: "ada"))]))
        let asked = try gate.explain()
        #expect(asked["known"]?.bool == true && asked["notes"]?.array?.first?["code"]?.string == "tokens-unseen")
        #expect(try gate.answer()["reason"]?.string == "outside-schedule")
        try gate.publish([.revocation(.subject("ada"))])
        #expect(try gate.answer()["reason"]?.string == "revoked")
        let stranger = try gate.explain(.subject("zoe"))
        #expect(stranger["known"]?.bool == false && stranger["notes"]?.array?.first?["code"]?.string == "person-unknown")
        let imagined = try gate.answer(.subject("zoe"))
        #expect(imagined["result"]?.string == "unknown" && imagined["sentence"]?.string?.hasPrefix("If zoe has a valid token, it would open main") == true)
        #expect(ExplainSite.because(try gate.answer(.subject("zoe"))).contains("this gate has not seen it"))
    }

    @Test func aTokenThatWasShownIsJudgedAsIfItWereShownAgain() throws {
        let gate = try ExplainSite(), token = try gate.site.token(gate.site.claims(gate.key.publicKey))
        try gate.publish([])
        _ = gate.controller.present(try gate.site.phone(gate.key, token), at: "entry")
        let said = try gate.answer()
        #expect(said["reason"]?.string == "granted" && said["then"]?.string == "expired")
        #expect(said["until"]?.string == UTCText.make(seconds: token.claims.expiresAt))
        #expect(try gate.answer(.key(Array(token.identifier.bytes.prefix(4))))["reason"]?.string == "granted")
        let stale = try gate.answer(at: gate.controller.parts.clock.now().seconds + 40 * 86_400)
        #expect(stale["reason"]?.string == "trust-data-stale", "before what else is wrong by then, as at a tap")
    }

    /// A token that was refused is remembered nowhere else.
    @Test func theLatestTapsAreTold() throws {
        let gate = try ExplainSite()
        try gate.publish([])
        for times: (from: Int64, to: Int64) in [(-60, 3600), (-7200, -3600)] {
            let token = try gate.site.token(gate.site.claims(gate.key.publicKey, from: times.from, to: times.to))
            _ = gate.controller.present(try gate.site.phone(gate.key, token), at: "entry")
        }
        _ = try gate.controller.records()
        let taps = try gate.explain()["taps"]?.array ?? []
        #expect(taps.map { $0["reason"]?.string } == ["expired", "granted"])
        let credential = try Hex.decode(try #require(taps.first?["credential"]?.string))
        #expect(try gate.explain(.key(credential))["taps"]?.array?.map { $0["reason"]?.string } == ["expired"])
        #expect(try gate.explain(.subject("ben"))["taps"] == [])
    }

    // Who is asked about -------------------------------------------------------------------------

    @Test func severalKeysHaveAnAnswerEach() throws {
        let gate = try ExplainSite(), now = gate.ada()
        let old = EnrolledKey(keyIdentifier: [1], key: try SigningKey.generate(.p256).publicKey, use: .sign, subject: "ada", expiresAt: 5)
        try gate.publish([.enrolled(now), .enrolled(old)])
        #expect(Set(try gate.answers().compactMap { $0["reason"]?.string }) == ["granted", "expired"])
        let one = try gate.explain(.key(Array(now.key.thumbprint.prefix(4))))["credentials"]?.array ?? []
        #expect(one.map { $0["identifier"]?.string } == [Hex.encode(now.key.thumbprint)])
        #expect(try gate.answer(.key(now.keyIdentifier))["reason"]?.string == "granted", "by its kid")
    }

    @Test func aTypoNamesWhoWasProbablyMeant() throws {
        let gate = try ExplainSite()
        try gate.publish([.enrolled(gate.ada())])
        let asked = try gate.explain(.subject("aad"))
        #expect(asked["known"]?.bool == false && asked["nearest"]?.string == "ada")
        #expect(asked["notes"]?.array?.first?["message"]?.string?.contains("Did you mean ada?") == true)
        #expect(try gate.explain(.key([1, 2, 3, 4]))["notes"]?.array?.map { $0["code"]?.string } == ["key-unknown"])
        #expect(throws: ControlError(code: "lane-unknown", message: "")) { try gate.explain(lane: "mian") }
    }

    @Test func aGateWithoutDataSaysThat() throws {
        let gate = try ExplainSite()
        #expect(try gate.answer()["reason"]?.string == "no-trust-data")
        #expect(try gate.explain()["notes"]?.array?.first?["code"]?.string == "no-trust-data")
        #expect(try gate.tap(gate.ada()) == nil, "a stranger is told nothing")
    }

    // Nothing changes ----------------------------------------------------------------------------

    /// A question that let a lane rest, awaited somebody or was written down would be an attack of its own.
    @Test func askingLeavesNoTrace() throws {
        let gate = try ExplainSite(lane: "zone = \"hall\"\ncooldown-success-ms = 600000\ncooldown-failure-ms = 60000"), events = EventLog()
        let key = gate.ada()
        try gate.publish(try rules([.zone(ZoneRule(zone: "hall", passback: .hard, capacity: 1))]) + [.enrolled(key)])
        gate.controller.listen { events.add($0) }
        let lane = try #require(gate.controller.layout.withLock { $0.lanes["main"] }).ask { $0 }
        let before = try gate.controller.records().count
        for _ in 0..<20 { #expect(try gate.answer()["reason"]?.string == "granted") }
        for command in ["hold", "tokn"] { _ = try gate.answer(at: 4_000_000_000, command: command) }
        #expect(try gate.controller.records().count == before + 1, "but for the record by which the first count was taken")
        #expect(try #require(gate.controller.layout.withLock { $0.lanes["main"] }).ask { $0 } == lane)
        #expect(gate.controller.parts.state.passback.people(nil, zone: nil).isEmpty)
        #expect(events.all.isEmpty && gate.controller.parts.tokens.load.count == 0)
        #expect(try gate.agree(key)["reason"]?.string == "granted", "nobody was awaited who would take the one place")
    }
}
