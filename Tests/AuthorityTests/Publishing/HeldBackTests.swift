import Credentials
import Cryptography
import SiteRules
import Testing
import TrustSync

@testable import Authority

/// One record too many stopped every revocation, and members of groups were published before the rules that bind them.
@Suite("What is not published keeps nothing else back")
struct HeldBackTests {
    private let fixture: RepositoryFixture
    private var authority: Authority { fixture.authority }
    private static let card: [UInt8] = [4, 1, 2, 3, 4, 5, 6]

    init() throws { fixture = try RepositoryFixture() }

    private func take(_ text: String) throws {
        try fixture.scratch.write("rules.toml", Array(text.utf8))
        _ = try authority.takeRules(at: fixture.scratch.path("rules.toml"), now: now)
    }

    /// A record of before there were such bounds, or of an older program.
    private func enrolUnjudged(card number: [UInt8] = Self.card, _ subject: String) throws {
        let card = PlainCard(number: try PlainCardNumber(number), subject: subject, audiences: [], notBefore: nil, expiresAt: nil)
        try authority.database.put(card, inPlaceOf: nil, now: now)
    }

    private func published() throws -> Set<PublicationRecord> { Set(try fixture.people().records.values) }

    private func held(_ published: PublishedRepository) -> [String] {
        published.warnings.compactMap { warning in if case .heldBack(let held) = warning { "\(held.code) \(held.subject)" } else { nil } }
    }

    // The ceiling ---------------------------------------------------------------------------------

    @Test func whatTheSiteDoesNotAllowIsRefusedWhereItIsGiven() throws {
        try fixture.makeTogether()
        #expect(throws: AuthorityError.repository(.ceiling(subject: "carla", .plainCards))) {
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
        try take("[people]\nlongest-days = 400")
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
        #expect(try published().allSatisfy { if case .plainCard = $0 { false } else { true } })
        #expect(try authority.database.card(PlainCardNumber(Self.card)) != nil, "nothing is lost")
        // The next publication says it again, and has nothing new.
        let again = try authority.publish(now: now + 120)
        #expect(held(again) == ["ceiling-exceeded carla"] && again.changes == nil)
        // With the rules that allow it it goes out.
        try take("[people]\nplain-cards = true")
        let allowed = try authority.publish(now: now + 180)
        #expect(held(allowed).isEmpty && !allowed.isHeldBack)
        #expect(try published().contains { if case .plainCard = $0 { true } else { false } })
        _ = try fixture.check(at: now + 180)
    }

    /// What gates have goes from them: others signed that it is too much.
    @Test func aLowerCeilingTakesAwayWhatIsTooMuchAndNothingElse() throws {
        try fixture.makeTogether()
        try take("[people]\nplain-cards = true")
        _ = try authority.enrol(card: Self.card, subject: "carla", now: now)
        let ben = try phoneKey()
        try fixture.enrol("ben", ben)
        _ = try authority.publish(now: now)
        try take("")
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
        try take("[people]\nplaces = [\"tapstile:north/hall\"]")
        _ = try authority.publish(now: now)
        try take("")
        let key = try phoneKey()
        try fixture.enrol("anna", key)
        try take("[people]\nplaces = [\"tapstile:north/hall\"]")
        #expect(held(try authority.publish(now: now)) == ["ceiling-exceeded anna"])
        try fixture.enrol("anna", key, ["tapstile:north/hall"])
        #expect(held(try authority.publish(now: now + 60)).isEmpty)
        #expect(try published().count == 1)
    }

    /// An export is held to what the rules say as well, and goes out.
    @Test func anExportLeavesOutWhatIsTooMuchAndHasTheRevocations() throws {
        let scratch = fixture.scratch
        try enrolUnjudged("carla")
        _ = try authority.revoke(.subject("mallory"), now: now)
        try take("[people]\nlongest-days = 30\nplain-cards = true")
        let made = try authority.export(to: scratch.path("north.site"), validSeconds: 3600, now: now)
        #expect(made.heldBack.map(\.subject) == ["carla"] && made.counts.plainCards == 0 && made.counts.revocations == 1)
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
        try take(hours("cleaners", "nina"))
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
        try take(hours("cleaners", "nina"))
        try fixture.enrol("nina")
        #expect(held(try authority.publish(isAnyway: true, now: now + 60)).isEmpty)
        #expect(try subjects() == ["ben", "nina"])
        #expect(held(try authority.publish(now: now + 120)).isEmpty, "what is out is out")
    }

    /// Gates would know no group in which anna is, and no rule would bind her.
    @Test func aGroupThatIsNamedAnewFreesNobodyBeforeTheRulesAreSigned() throws {
        let keys = try begin()
        try take(hours("cleaners", "anna"))
        try fixture.enrol("anna")
        try fixture.sign(.targets, [keys.targets])
        #expect(try members() == ["cleaners anna"])
        try take(hours("night-shift", "anna"))
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
        try take(hours("cleaners", "nina"))
        try fixture.sign(.targets, [keys.targets])
        try take(hours("cleaners", "nina") + "\n[[group]]\nname = \"guests\"\nmembers = [\"gast\"]\n[[rule]]\ngroup = \"guests\"\n")
        try fixture.enrol("nina")
        try fixture.enrol("gast")
        #expect(held(try authority.publish(now: now + 60)).allSatisfy { $0 == "rules-unsigned gast" })
        #expect(try subjects() == ["ben", "nina"])
    }
}
