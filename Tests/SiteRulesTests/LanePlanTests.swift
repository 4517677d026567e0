import SiteRules
import Testing
import Vocabulary

/// What plans and rules come to at a moment, also where nobody knows the time.
@Suite struct LanePlanTests {
    /// Monday, 5 January 1970, at noon.
    static let monday: Int64 = 4 * 86_400 + 43_200
    static let tuesday = monday + 86_400

    static func timetable(_ entries: [LanePlanEntry], _ rules: [AccessRule] = [], zone: TimeZoneData? = .utc) throws -> SiteTimetable {
        let records: [SiteRecord] = [
            .schedule(Schedule(name: "monday", week: [.monday: [.wholeDay]])), .schedule(Schedule(name: "early-week", week: [.monday: [.wholeDay], .tuesday: [.wholeDay]])),
            .lanePlan(LanePlan(lane: "north", entries: entries))
        ] + rules.map(SiteRecord.access)
        return SiteTimetable(try SiteRules(records), timeZone: zone)
    }

    static func mode(_ entries: [LanePlanEntry], at moment: SiteMoment) throws -> LaneMode? {
        try timetable(entries).plan(ofLane: "north", at: moment)?.mode
    }

    @Test func theHighestPriorityInForceCounts() throws {
        let entries = [
            LanePlanEntry(schedule: "early-week", mode: .closed), LanePlanEntry(schedule: "monday", mode: .freePassage, direction: .out, priority: 1),
            LanePlanEntry(schedule: nil, mode: .heldOpen)
        ]
        let timetable = try Self.timetable(entries)
        let monday = try #require(timetable.plan(ofLane: "north", at: .known(Self.monday)))
        #expect(monday == LanePlanState(mode: .freePassage, direction: .out, schedule: "monday", isGuess: false))
        #expect(timetable.plan(ofLane: "north", at: .known(Self.tuesday))?.mode == .closed)
        #expect(timetable.plan(ofLane: "north", at: .known(Self.tuesday + 86_400))?.mode == .heldOpen)
        #expect(timetable.plan(ofLane: "south", at: .known(Self.monday)) == nil)
        #expect(timetable.nextChange(ofLane: "north", after: Self.monday) == Self.tuesday - 43_200)
        #expect(timetable.nextChange(ofLane: "north", after: Self.tuesday) == Self.tuesday + 43_200)
        #expect(timetable.nextChange(ofLane: "south", after: Self.tuesday) == nil)
        #expect(timetable.nextChange(after: Self.tuesday) == Self.tuesday + 43_200)
    }

    @Test func withoutAnEntryInForceALaneIsNormal() throws {
        #expect(try Self.mode([LanePlanEntry(schedule: "monday", mode: .heldOpen)], at: .known(Self.tuesday)) == .normal)
    }

    @Test func ofEqualPriorityTheStricterCounts() throws {
        for entries in [[LaneMode.heldOpen, .lockedDown], [.lockedDown, .heldOpen]] {
            #expect(try Self.mode(entries.map { LanePlanEntry(schedule: "monday", mode: $0) }, at: .known(Self.monday)) == .lockedDown)
        }
    }

    @Test func atAnUnknownTimeTheStrictestThatMayBeCounts() throws {
        #expect(try Self.mode([LanePlanEntry(schedule: "monday", mode: .heldOpen)], at: .unknown) == .normal)
        #expect(try Self.mode([LanePlanEntry(schedule: "monday", mode: .freePassage), LanePlanEntry(schedule: nil, mode: .heldOpen)], at: .unknown) == .freePassage)
        #expect(try Self.mode([LanePlanEntry(schedule: "monday", mode: .closed), LanePlanEntry(schedule: "early-week", mode: .lockedDown)], at: .unknown) == .lockedDown)
        #expect(try Self.mode([LanePlanEntry(schedule: nil, mode: .heldOpen)], at: .unknown) == .heldOpen)
        let guess = try Self.timetable([LanePlanEntry(schedule: "monday", mode: .closed)]).plan(ofLane: "north", at: .unknown)
        #expect(guess?.isGuess == true)
        #expect(try Self.timetable([LanePlanEntry(schedule: "monday", mode: .closed)], zone: nil).plan(ofLane: "north", at: .known(Self.tuesday))?.mode == .closed)
    }

    @Test func anEntryWhoseScheduleIsMissingMayBeInForce() throws {
        let closed = LanePlanEntry(schedule: "no-such", mode: .closed, priority: 1)
        #expect(try Self.mode([closed, LanePlanEntry(schedule: "monday", mode: .heldOpen)], at: .known(Self.monday)) == .closed)
        #expect(try Self.mode([closed, LanePlanEntry(schedule: "monday", mode: .heldOpen, priority: 2)], at: .known(Self.monday)) == .heldOpen)
    }

    @Test func aScheduleAtAnUnknownTimeGoesByItsUse() throws {
        let timetable = try Self.timetable([])
        #expect(timetable.isInForce("monday", at: .unknown, for: .grants) == false)
        #expect(timetable.isInForce("monday", at: .unknown, for: .restricts) == true)
        #expect(timetable.isInForce("monday", at: .known(Self.tuesday), for: .restricts) == false)
        #expect(timetable.isInForce("no-such", at: .unknown, for: .restricts) == nil)
    }

    @Test func whoIsInAGroupOfARuleNeedsARule() throws {
        let rules = [AccessRule(group: "staff", lanes: ["north"], schedule: "monday"), AccessRule(group: "guard"), AccessRule(group: "lost", schedule: "no-such")]
        let timetable = try Self.timetable([], rules)
        let verdict = { (groups: [String], lane: String, moment: SiteMoment) in timetable.judge(groups: groups, lane: lane, at: moment) }
        #expect(verdict([], "north", .known(Self.tuesday)) == .free)
        #expect(verdict(["visitors"], "north", .unknown) == .free)
        #expect(verdict(["staff"], "north", .known(Self.monday)) == .allowed(group: "staff"))
        #expect(verdict(["staff"], "north", .known(Self.tuesday)) == .outsideSchedule)
        #expect(verdict(["staff"], "south", .known(Self.monday)) == .outsideSchedule)
        #expect(verdict(["staff"], "north", .unknown) == .outsideSchedule)
        #expect(verdict(["staff", "guard"], "south", .unknown) == .allowed(group: "guard"))
        #expect(verdict(["lost"], "north", .known(Self.monday)) == .outsideSchedule)
    }

    /// What lies beyond the bound is not looked at, and whoever is there does not pass: not by a rule that was seen either.
    @Test func whoIsInMoreGroupsThanAreLookedAtPassesNowhere() throws {
        let timetable = try Self.timetable([], [AccessRule(group: "guard")])
        let most = (1..<Membership.mostOfOne).map { "club \($0)" }
        let verdict = { (groups: [String]) in timetable.judge(groups: groups, lane: "north", at: .known(Self.monday)) }
        #expect(verdict(most + ["guard"]) == .allowed(group: "guard"))
        #expect(verdict(most + ["choir"]) == .free)
        #expect(verdict(["guard"] + most + ["choir"]) == .tooManyGroups)
        #expect(verdict(most + ["choir", "band"]) == .tooManyGroups)
    }
}
