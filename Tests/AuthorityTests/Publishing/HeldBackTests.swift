import Credentials
import Cryptography
import Encoding
import SiteData
import SiteRules
import Storage
import Testing

@testable import Authority

/// One record too many stopped every revocation, and members of groups were published before the rules that bind them.
@Suite("What is not published keeps nothing else back")
struct HeldBackTests {
    private let fixture: RepositoryFixture
    private var authority: Authority { fixture.authority }
    private static let card: [UInt8] = [4, 1, 2, 3, 4, 5, 6]

    init() throws { fixture = try RepositoryFixture() }

    private func apply(_ text: String) throws {
        try fixture.scratch.write("rules.toml", Array(text.utf8))
        _ = try authority.applyRules(at: fixture.scratch.path("rules.toml"), now: now)
    }

    /// A record of before there were such bounds, or of an older program.
    private func enrolUnjudged(card number: [UInt8] = Self.card, _ subject: String) throws {
        let card = UIDOnlyCard(number: try UIDOnlyCardNumber(number), subject: subject, audiences: [], notBefore: nil, expiresAt: nil)
        try authority.database.put(card, inPlaceOf: nil, now: now)
    }

    private func published() throws -> Set<PublicationRecord> { Set(try fixture.people().records.values) }

    private func held(_ published: PublishedRepository) -> [String] {
        published.warnings.compactMap { warning in if case .heldBack(let held) = warning { "\(held.code) \(held.subject)" } else { nil } }
    }

    // The ceiling ---------------------------------------------------------------------------------

    @Test func whatTheSiteDoesNotAllowIsRefusedWhereItIsGiven() throws {
        try fixture.makeTogether()
        #expect(throws: AuthorityError.repository(.ceiling(subject: "carla", .uidOnlyCards))) {
            try authority.enrol(card: Self.card, subject: "carla", now: now)
        }
        #expect(throws: AuthorityError.repository(.ceiling(subject: "carla", .command("hold")))) {
            try authority.enrol(EnrolmentRequest(key: phoneKey(), use: .sign, subject: "carla", rights: Rights(scope: ["tokn", "hold"])), now: now)
        }
        try fixture.scratch.write("people.csv", Array("subject,uid\ncarla,04010203040506\n".utf8))
        #expect { try authority.importPeople(at: fixture.scratch.path("people.csv"), now: now) } throws: { error in
            guard case .importRefused(let refused) = error as? AuthorityError else { return false }
            return refused.issues.map(\.code) == ["ceiling-exceeded"] && refused.issues[0].position.line == 2
        }
        try apply("[people]\nlongest-days = 400")
        #expect(throws: AuthorityError.repository(.ceiling(subject: "carla", .tooLong))) {
            let rights = Rights(expiresAt: now + 401 * 86_400)
            return try authority.enrol(EnrolmentRequest(key: phoneKey(), use: .sign, subject: "carla", rights: rights), now: now)
        }
        #expect(try authority.publish(now: now).isHeldBack == false)
    }

    @Test func aCardTooManyKeepsNoRevocationBack() throws {
        try fixture.makeTogether()
        let key = try phoneKey()
        try fixture.enrol("mallory", key)
        _ = try authority.publish(now: now)
        try enrolUnjudged("carla")
        _ = try authority.revoke(.suspended("mallory"), now: now)
        let told = try authority.publish(now: now + 60)
        #expect(held(told) == ["ceiling-exceeded carla"] && told.isHeldBack)
        #expect(try published().contains(.revocation(.suspended("mallory"))))
        #expect(try published().allSatisfy { if case .uidOnlyCard = $0 { false } else { true } })
        #expect(try authority.database.card(UIDOnlyCardNumber(Self.card)) != nil, "nothing is lost")
        // The next publication says it again, and has nothing new.
        let again = try authority.publish(now: now + 120)
        #expect(held(again) == ["ceiling-exceeded carla"] && again.changes == nil)
        // With the rules that allow it it goes out.
        try apply("[people]\nuid-only-cards = true")
        let allowed = try authority.publish(now: now + 180)
        #expect(held(allowed).isEmpty && !allowed.isHeldBack)
        #expect(try published().contains { if case .uidOnlyCard = $0 { true } else { false } })
        _ = try fixture.check(at: now + 180)
    }

    /// What gates have goes from them: others signed that it is too much.
    @Test func aLowerCeilingTakesAwayWhatIsTooMuchAndNothingElse() throws {
        try fixture.makeTogether()
        try apply("[people]\nuid-only-cards = true")
        _ = try authority.enrol(card: Self.card, subject: "carla", now: now)
        let ben = try phoneKey()
        try fixture.enrol("ben", ben)
        _ = try authority.publish(now: now)
        try apply("")
        #expect(held(try authority.publish(now: now + 60)) == ["ceiling-exceeded carla"])
        #expect(try published().count == 1 && fixture.people().records.values.contains { $0.subject == "ben" })
        // A new office of gates, which begin with everybody, finds the same.
        _ = try authority.beginEpoch(now: now + 120)
        #expect(try published().count == 1)
        try authority.remove(card: Self.card)
        #expect(try authority.publish(now: now + 180).isHeldBack == false)
        _ = try fixture.check(at: now + 180)
    }

    @Test func aRecordThatIsTooMuchIsChangedAndGoesOut() throws {
        try fixture.makeTogether()
        try apply("[people]\nplaces = [\"tapstile:north/hall\"]")
        _ = try authority.publish(now: now)
        try apply("")
        let key = try phoneKey()
        try fixture.enrol("anna", key)
        try apply("[people]\nplaces = [\"tapstile:north/hall\"]")
        #expect(held(try authority.publish(now: now)) == ["ceiling-exceeded anna"])
        try fixture.enrol("anna", key, ["tapstile:north/hall"])
        #expect(held(try authority.publish(now: now + 60)).isEmpty)
        #expect(try published().count == 1)
    }

    private func list(_ text: String) throws -> ImportedPeople {
        try fixture.scratch.write("people.csv", Array(text.utf8))
        return try authority.importPeople(at: fixture.scratch.path("people.csv"), now: now)
    }

    /// One person's card of long ago stopped every removal of the list.
    @Test func aListOfBeforeALowerCeilingStillRemoves() throws {
        try fixture.makeTogether()
        try apply("[people]\nuid-only-cards = true")
        let key = try phoneKey(), hex = "04" + Hex.encode(key.x + (key.y ?? []))
        try fixture.enrol("anna", key)
        let known = "subject,key,uid,groups,action\ncarla,,04010203040506,,\nanna,\(hex),,,\nben,,,board,\n"
        _ = try list(known + "mallory,,04010203040507,lab,\n")
        try apply("[people]\ngroups = [\"lab\"]\nplaces = [\"tapstile:north/hall\"]")
        let taken = try list(known + "mallory,,04010203040507,lab,remove\n")
        #expect(taken.unchanged == 2 && taken.removed == 1 && taken.left == 1)
        // So is what is enrolled by itself.
        try fixture.enrol("anna", key)
        #expect(try authority.enrol(card: Self.card, subject: "carla", now: now).isReplacement)
        #expect(held(try authority.publish(now: now)).sorted() == ["ceiling-exceeded anna", "ceiling-exceeded ben", "ceiling-exceeded carla"])
        // What is new or changed is judged.
        for line in ["carla,,04010203040508,,", "carl,,04010203040506,,", "anna,,,board,", "ann,\(hex),,,"] {
            #expect(throws: AuthorityError.self, "\(line)") { try list("subject,key,uid,groups,action\n\(line)\n") }
        }
        #expect(throws: AuthorityError.self) { try fixture.enrol("ann", key) }
        #expect(throws: AuthorityError.self) { try authority.enrol(card: Self.card, subject: "carl", now: now) }
    }

    // Rules that are not signed -------------------------------------------------------------------

    private static let rules = """
        time-zone = "UTC"
        [[schedule]]
        name = "night"
        week = ["daily 22:00-06:00"]
        [[group]]
        name = "cleaners"
        members = ["MEMBERS"]
        [[rule]]
        group = "cleaners"
        schedule = "night"
        """
    private func hours(_ group: String, _ member: String) -> String {
        Self.rules.replacing("MEMBERS", with: member).replacing("cleaners", with: group)
    }

    /// A site whose targets are signed elsewhere, with ben in it.
    private func begin() throws -> (root: [String], targets: String) {
        let keys = try fixture.makeWithCeremony()
        try fixture.enrol("ben")
        try fixture.sign(.root, Array(keys.root.prefix(2)))
        try fixture.sign(.targets, [keys.targets])
        return keys
    }

    private func subjects() throws -> [String] {
        try published().compactMap { if case .enrolled(let key) = $0 { key.subject } else { nil } }.sorted()
    }

    private func members() throws -> [String] {
        try published().compactMap { if case .rule(.membership(let membership)) = $0 { "\(membership.group) \(membership.subject)" } else { nil } }.sorted()
    }

    @Test func whoeverUnsignedRulesBindWaitsForThemAndRevocationsDoNot() throws {
        let keys = try begin()
        try apply(hours("cleaners", "nina"))
        try fixture.enrol("nina")
        try fixture.enrol("otto")
        _ = try authority.revoke(.suspended("ben"), now: now)
        let told = try authority.publish(now: now + 60)
        #expect(held(told).sorted() == ["rules-unsigned nina", "rules-unsigned nina"] && told.isHeldBack)
        #expect(try subjects() == ["ben", "otto"], "no gate knows yet that nina may come at night only")
        #expect(try published().contains(.revocation(.suspended("ben"))))
        let signed = try #require(try fixture.sign(.targets, [keys.targets], at: now + 120))
        #expect(held(signed).isEmpty)
        #expect(try subjects() == ["ben", "nina", "otto"] && members() == ["cleaners nina"])
    }

    @Test func somebodySaysThatNothingWaits() throws {
        _ = try begin()
        try apply(hours("cleaners", "nina"))
        try fixture.enrol("nina")
        #expect(held(try authority.publish(isAnyway: true, now: now + 60)).isEmpty)
        #expect(try subjects() == ["ben", "nina"])
        #expect(held(try authority.publish(now: now + 120)).isEmpty, "what is out is out")
    }

    /// Gates would know no group in which anna is, and no rule would bind her.
    @Test func aGroupThatIsNamedAnewFreesNobodyBeforeTheRulesAreSigned() throws {
        let keys = try begin()
        try apply(hours("cleaners", "anna"))
        try fixture.enrol("anna")
        try fixture.sign(.targets, [keys.targets])
        #expect(try members() == ["cleaners anna"])
        try apply(hours("night-shift", "anna"))
        let told = try authority.publish(now: now + 60)
        #expect(held(told).sorted() == ["rules-unsigned anna", "rules-unsigned anna"])
        #expect(try members() == ["cleaners anna"] && subjects() == ["anna", "ben"])
        #expect(try authority.publish(now: now + 90).changes == nil)
        try fixture.sign(.targets, [keys.targets], at: now + 120)
        #expect(try members() == ["night-shift anna"])
        #expect(try authority.database.membershipsOfNobody().isEmpty)
        _ = try fixture.check(at: now + 120)
    }

    @Test func keysOfPeopleWhomNoNewRuleBindsDoNotWait() throws {
        let keys = try begin()
        try apply(hours("cleaners", "nina"))
        try fixture.sign(.targets, [keys.targets])
        try apply(hours("cleaners", "nina") + "\n[[group]]\nname = \"guests\"\nmembers = [\"gast\"]\n[[rule]]\ngroup = \"guests\"\n")
        try fixture.enrol("nina")
        try fixture.enrol("gast")
        #expect(held(try authority.publish(now: now + 60)).allSatisfy { $0 == "rules-unsigned gast" })
        #expect(try subjects() == ["ben", "nina"])
    }

    // Who stays in a group ------------------------------------------------------------------------

    private func join(_ subject: String, _ groups: String, _ action: String = "set") throws {
        _ = try list("subject,groups,action\n\(subject),\(groups),\(action)\n")
    }

    private static let day = "time-zone = \"UTC\"\n[[schedule]]\nname = \"day\"\nweek = [\"daily 06:00-18:00\"]\n"
    private static func rule(_ group: String) -> String { "[[group]]\nname = \"\(group)\"\n[[rule]]\ngroup = \"\(group)\"\nschedule = \"day\"\n" }

    /// The rule of the group that she leaves stands, and no gate knows one of the group that she joins.
    @Test func whoMovesToAGroupOfUnsignedRulesStaysInTheOldOne() throws {
        let keys = try begin()
        try apply(Self.day + Self.rule("staff"))
        try fixture.enrol("nina")
        try join("nina", "staff")
        try join("olga", "staff")
        try fixture.sign(.targets, [keys.targets])
        try apply(Self.day + Self.rule("staff") + Self.rule("cleaners"))
        try join("nina", "staff", "remove")
        try join("nina", "cleaners")
        try join("olga", "staff", "remove")
        let told = try authority.publish(now: now + 60)
        #expect(held(told).sorted() == ["rules-unsigned nina", "rules-unsigned nina"])
        #expect(try members() == ["staff nina"], "whom no rule here binds is free, as the office says")
        #expect(try authority.publish(now: now + 90).changes == nil)
        try fixture.sign(.targets, [keys.targets], at: now + 120)
        #expect(try members() == ["cleaners nina"] && authority.database.membershipsOfNobody().isEmpty)
        _ = try fixture.check(at: now + 120)
    }

    /// After one more holiday all groups waited, and a taking away with them.
    @Test func whoIsTakenOutOfAGroupAndIsInAnotherIsOutAtOnce() throws {
        let keys = try begin()
        try apply(Self.day + Self.rule("staff") + Self.rule("server-room"))
        try fixture.enrol("mallory")
        try join("mallory", "staff;server-room")
        try fixture.sign(.targets, [keys.targets])
        try apply(Self.day.replacing("18:00", with: "17:00") + Self.rule("staff") + Self.rule("server-room"))
        try join("mallory", "server-room", "remove")
        #expect(try authority.publish(now: now + 60).isHeldBack == false)
        #expect(try members() == ["staff mallory"])
        // Out of the last one she would be free.
        try join("mallory", "lab")
        try apply(Self.day + Self.rule("staff") + Self.rule("lab"))
        try join("mallory", "staff", "remove")
        #expect(held(try authority.publish(now: now + 90)) == ["rules-unsigned mallory", "rules-unsigned mallory"])
        #expect(try members() == ["staff mallory"])
        // And when she is bound otherwise, she leaves.
        try apply(Self.day + Self.rule("staff") + Self.rule("lab") + Self.rule("server-room"))
        try join("mallory", "server-room")
        #expect(held(try authority.publish(now: now + 120)) == ["rules-unsigned mallory"])
        #expect(try members() == ["server-room mallory"])
        _ = try fixture.check(at: now + 120)
    }

    /// Whoever is free has less by any rule; who is bound may have more by an old one.
    @Test func whoWasFreeIsBoundByTheOldRulesUntilTheNewOnesAreSigned() throws {
        let keys = try begin()
        try apply(Self.day + Self.rule("staff") + Self.rule("lab"))
        try fixture.enrol("nina")
        try join("olga", "lab")
        try fixture.sign(.targets, [keys.targets])
        try apply(Self.day.replacing("18:00", with: "12:00") + Self.rule("staff") + Self.rule("lab"))
        try join("nina", "staff")
        try join("olga", "staff")
        #expect(held(try authority.publish(now: now + 60)) == ["rules-unsigned olga"])
        #expect(try members() == ["lab olga", "staff nina"])
        // In the same breath out of the one and into the other is no narrowing.
        try join("nina", "staff", "remove")
        try join("nina", "lab")
        #expect(held(try authority.publish(now: now + 90)).sorted() == ["rules-unsigned nina", "rules-unsigned nina", "rules-unsigned olga"])
        #expect(try members() == ["lab olga", "staff nina"])
    }

    /// The run had taken away what the site allows no more, and had come no further.
    @Test func anInterruptedPublicationStopsNoLaterOne() throws {
        let keys = try begin()
        try apply(Self.day + Self.rule("staff") + "[people]\ngroups = [\"staff\", \"lab\"]\n")
        try fixture.enrol("mallory")
        try join("mallory", "staff")
        try fixture.sign(.targets, [keys.targets])
        let lower = Self.day + Self.rule("staff") + "[people]\ngroups = [\"lab\"]\n"
        try apply(lower)
        let draft = try #require(Draft(parsing: try authority.draft(.targets, now: now + 60).bytes))
        try authority.apply(draft, [RepositoryFixture.sign(draft, keys.targets)])
        try authority.holdBackExcess(authority.publicationJudge(isAnyway: false, now: now + 90))
        try apply(lower.replacing("18:00", with: "12:00"))
        _ = try authority.revoke(.suspended("ben"), now: now + 90)
        #expect(held(try authority.publish(now: now + 120)).contains("ceiling-exceeded mallory"))
        #expect(try published().contains(.revocation(.suspended("ben"))) && members().isEmpty)
        _ = try fixture.check(at: now + 120)
    }

    /// States were skipped, and what was new looked old.
    @Test func aRestoredOfficeHoldsBackToo() throws {
        _ = try begin()
        let backup = try RestoredOfficeTests.Backup(authority)
        try fixture.enrol("erin")
        _ = try authority.publish(now: now + 10)
        try backup.restore()
        try apply(hours("cleaners", "nina"))
        try fixture.enrol("nina")
        let told = try authority.publish(restored: .office, now: now + 60)
        #expect(held(told) == ["rules-unsigned nina", "rules-unsigned nina"])
        #expect(try subjects() == ["ben"] && members().isEmpty)
        _ = try fixture.check(at: now + 60)
    }

    @Test func rulesThatNobodyCanReadHoldBackWhomTheyMayBind() throws {
        _ = try begin()
        try apply(Self.day + Self.rule("staff"))
        try authority.database.keep(siteData: [0xa0], version: 9)
        let pending = try authority.publicationJudge(isAnyway: false, now: now).pending
        #expect(pending.groups == ["staff"] && pending.mayBindAtGates("staff") && pending.mayBindAtGates("old") && !pending.bindsAtGates("staff"))
    }

    /// Gates are told for a while longer what the office says no more.
    @Test func whatIsThereForGatesAloneIsInNoList() throws {
        let keys = try begin()
        try apply(Self.day + Self.rule("staff"))
        try join("nina", "staff")
        try fixture.sign(.targets, [keys.targets])
        try apply(Self.day + Self.rule("staff") + Self.rule("cleaners"))
        try join("nina", "staff", "remove")
        try join("nina", "cleaners")
        try fixture.enrol("nina")
        _ = try authority.publish(now: now + 60)
        #expect(try members() == ["staff nina"])
        var listed: [Membership] = []
        try authority.forEachMembership { listed.append($0) }
        #expect(listed == [Membership(group: "cleaners", subject: "nina")])
        let states = try authority.heldStates(now: now + 60)
        #expect(states.isHeldBack(listed[0]) && !states.isHeldBack(Membership(group: "staff", subject: "nina")))
        try authority.forEachEnrolled { key, _ in #expect(states.isHeldBack(key) == (key.subject == "nina")) }
        #expect(try list("subject,groups\nnina,staff\n").joined == 1, "it is said anew")
        #expect(try authority.database.membershipsOfNobody().isEmpty)
    }

    /// An older program took it; gates let the person pass nowhere.
    @Test func whoIsInTooManyGroupsIsNamed() throws {
        try fixture.makeTogether()
        let rows = try MembershipRows(authority.database)
        for number in 0...Membership.mostOfOne { _ = try rows.add(Membership(group: "club \(number)", subject: "anna"), by: .command) }
        let told = try authority.publish(now: now)
        #expect(told.warnings == [.tooManyGroups(subject: "anna")] && told.needsSomebody && !told.isHeldBack)
        // One that is there for gates alone is none of the office's.
        try authority.database.prepare("UPDATE membership SET source = 0 WHERE member_of = 'club 0'").finish()
        #expect(try authority.database.subjectsOfTooManyGroups(most: 1).isEmpty)
        #expect(try authority.database.subjectsOfTooManyGroups(atGates: true, most: 1) == ["anna"])
    }

    @Test func anOlderProgramDoesNotPublishWhatIsHeldBack() throws {
        let schema = AuthorityDatabase.schema
        let steps = schema.steps.prefix { $0 != AuthorityDatabase.heldBackStep }
        #expect(steps.count < schema.steps.count)
        let old = DatabaseSchema(applicationIdentifier: schema.applicationIdentifier, name: "old", steps: Array(steps))
        #expect(throws: StorageError.self) { try old.migrate(authority.database.connection) }
    }
}
