import ControlProtocol
import Credentials
import Cryptography
import Encoding
import Gate
import Lines
import SiteData
import SiteRules
import Testing
import Threads
import Waits

@testable import Controller

/// The site's rules at work: who may pass when (V4), and the schedules of the second factor (V6).
@Suite struct SiteRulesTapTests {
    let site: TestSite

    init() throws { site = try TestSite() }

    static let always = Schedule(name: "always", week: Dictionary(uniqueKeysWithValues: Weekday.allCases.map { ($0, [.wholeDay]) }))

    /// A day that is over.
    static func never() throws -> Schedule {
        let date = try #require(CivilDate(year: 2000, month: 1, day: 1))
        let oneOff = try #require(OneOff(from: LocalMinute(date), to: LocalMinute(date, minuteOfDay: 1440), opens: true))
        return Schedule(name: "never", week: [:], oneOffs: [oneOff])
    }

    static func records(_ more: [SiteRecord], zone: String = "Europe/Berlin") throws -> [PublicationRecord] {
        let zone = try #require(TimeZoneName(zone))
        return ([.timeZone(zone), .schedule(always), .schedule(try never())] + more).map(PublicationRecord.rule)
    }

    private func tap(_ controller: Controller, _ subject: String) throws -> Reason? {
        let key = try SigningKey.generate(.p256)
        let phone = try site.phone(key, site.token(site.claims(key.publicKey, subject: subject)))
        _ = controller.present(phone, at: "entry")
        return phone.reason
    }

    private func gate(_ more: [SiteRecord], lane: String = "", zone: String = "Europe/Berlin") throws -> Controller {
        try site.configure(lane: "cooldown-success-ms = 0\ncooldown-failure-ms = 0\n" + lane)
        let controller = try site.controller()
        try site.publish(try Self.records(more, zone: zone), to: controller)
        return controller
    }

    /// A word of the rules comes with a publication in one file too (A4).
    @Test func wordsOfAPublicationGoWithTheResult() throws {
        try site.configure(lane: "cooldown-success-ms = 0")
        let controller = try site.controller(), events = EventLog()
        controller.listen { events.add($0) }
        let word = try #require(SiteMessage(language: "en", name: "granted", text: "Welcome"))
        try site.publish(Self.records([]) + [.message(word)], to: controller)
        #expect(try tap(controller, "ada") == .granted)
        #expect(events.all.last { $0.kind == .result }?.fields["shown"] == ["en": "Welcome"])
    }

    private static let members: [SiteRecord] = [
        .access(AccessRule(group: "day", lanes: ["main"], schedule: "always")), .access(AccessRule(group: "past", schedule: "never")),
        .access(AccessRule(group: "elsewhere", lanes: ["other"], schedule: "always")),
        .membership(Membership(group: "day", subject: "ada")), .membership(Membership(group: "past", subject: "bob")),
        .membership(Membership(group: "elsewhere", subject: "cleo"))
    ]

    @Test func whoIsInAGroupOfARulePassesWhileOneIsInForce() throws {
        let controller = try gate(Self.members)
        #expect(try tap(controller, "ada") == .granted)
        #expect(try tap(controller, "bob") == .outsideSchedule)
        #expect(try tap(controller, "cleo") == .outsideSchedule)
        #expect(try tap(controller, "dora") == .granted, "no rule binds her")
    }

    /// Her first 64 groups bind nothing; the rule that keeps her out binds the last one.
    @Test func aRuleForTheSixtyFifthGroupKeepsOutAllTheSame() throws {
        let clubs = (1...Membership.mostOfOne).map { SiteRecord.membership(Membership(group: "club \($0)", subject: "ada")) }
        let bound: [SiteRecord] = [.access(AccessRule(group: "past", schedule: "never")), .membership(Membership(group: "past", subject: "ada"))]
        let controller = try gate(clubs.dropLast() + bound)
        #expect(try tap(controller, "ada") == .outsideSchedule, "64 groups are looked at")
        try site.publish(try Self.records(clubs + bound), to: controller)
        #expect(try tap(controller, "ada") == .outsideSchedule)
        // Of more nobody knows what they bind: not even a rule at all times lets her in.
        try site.publish(try Self.records(clubs + [.access(AccessRule(group: "club 1")), .membership(Membership(group: "club 65", subject: "ada"))]), to: controller)
        #expect(try tap(controller, "ada") == .outsideSchedule)
        try site.publish(try Self.records(clubs + [.access(AccessRule(group: "club 1"))]), to: controller)
        #expect(try tap(controller, "ada") == .granted)
    }

    @Test func theNextPublicationCountsAtOnce() throws {
        let controller = try gate(Self.members)
        #expect(try tap(controller, "bob") == .outsideSchedule)
        try site.publish(try Self.records(Self.members + [.membership(Membership(group: "day", subject: "bob"))]), to: controller)
        #expect(try tap(controller, "bob") == .granted)
        try site.publish([], to: controller)
        #expect(try tap(controller, "cleo") == .granted)
    }

    @Test func withoutTheZoneNoScheduleLetsAnybodyIn() throws {
        let controller = try gate(Self.members, zone: "Europe/Nowhere")
        #expect(try tap(controller, "ada") == .outsideSchedule)
        #expect(try tap(controller, "dora") == .granted)
        #expect(controller.status["siteRules"]?["problem"]?["code"]?.string == "time-zone-unknown")
        try site.publish(try Self.records(Self.members), to: controller)
        #expect(try tap(controller, "ada") == .granted)
        #expect(controller.status["siteRules"]?["problem"] == nil)
        #expect(controller.status["siteRules"]?["timeZone"]?.string == "Europe/Berlin")
    }

    @Test func theSecondFactorGoesByTheSchedulesOfTheSite() throws {
        let controller = try gate([], lane: "second-factor = \"scheduled\"\nsecond-factor-schedule = \"never\"")
        #expect(try tap(controller, "ada") == .granted)
        #expect(controller.status["lanes"]?.array?.first?["warnings"]?.array?.isEmpty == true)
        try site.configure(lane: "cooldown-success-ms = 0\nsecond-factor = \"scheduled\"\nsecond-factor-schedule = \"always\"")
        _ = try controller.reload()
        #expect(try tap(controller, "ada") == .secondFactor)
        // A name that the next publication does not have counts as in force.
        try site.configure(lane: "cooldown-success-ms = 0\nsecond-factor = \"scheduled\"\nsecond-factor-schedule = \"never\"")
        _ = try controller.reload()
        try site.publish([], to: controller)
        #expect(try tap(controller, "ada") == .secondFactor)
        #expect(controller.status["lanes"]?.array?.first?["warnings"]?.array?.map { $0["code"]?.string } == ["schedule-unknown"])
    }

    /// 32 of 40 starts energised the relay for a moment, by the plan alone.
    @Test func aStartOpensNoLaneThatAnOperatorHasLockedDown() throws {
        let plan = LanePlan(lane: "main", entries: [LanePlanEntry(schedule: "always", mode: .freePassage)])
        try site.configure(lane: """
            [lane.inputs.passage-in]
            chip = "simulated"
            line = 20
            debounce-ms = 1
            """)
        let first = try site.controller()
        try site.publish(try Self.records([.lanePlan(plan)]), to: first)
        _ = try first.act(LaneRequest(lane: "main", action: .mode(.lockDown, direction: nil, milliseconds: nil)), by: Requester(user: 0, process: 1))
        first.stop()
        let moves = Mutex<[Bool]>([])
        let bank = SimulatedLineBank(try site.requests, observer: { line, active, _ in
            if line == "main-relay" { moves.withLock { $0.append(active) } }
        })
        let second = try site.controller(bank)
        let told = try waitUntil("the lane's mode in the journal, once its contacts were read") {
            try second.records().filter { $0["kind"]?.string == "mode" && $0["detail"]?["source"] != nil }.map { $0["reason"]?.string }
        } fits: { $0.count > 2 }
        #expect(told == ["free-passage", "locked-down", "locked-down"], "the first two are of the day before")
        #expect(!moves.withLock { $0 }.contains(true))
    }

    @Test func statusSaysWhatThePlanMakesOfALane() throws {
        let controller = try gate([.lanePlan(LanePlan(lane: "main", entries: [LanePlanEntry(schedule: "always", mode: .closed)]))])
        let plan = controller.status["lanes"]?.array?.first?["plan"]
        #expect(plan?["mode"]?.string == "closed")
        #expect(plan?["schedule"]?.string == "always")
        #expect(plan?["until"] == nil)
        try site.publish([], to: controller)
        #expect(controller.status["lanes"]?.array?.first?["plan"] == .null)
    }
}
