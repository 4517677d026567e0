import Cryptography
import Encoding
import SiteData
import Testing

@testable import Authority

/// An owned office changes what the site's rules mean, or for which site they are. Whoever signs reads it.
@Suite("Whoever signs reads the rules") struct BlindRulesTests {
    let fixture: RepositoryFixture
    let root: [String], targets: String
    var authority: Authority { fixture.authority }

    private static let rules = """
        time-zone = "Europe/Berlin"
        [[schedule]]
        name = "weekend"
        week = ["Sat,Sun"]
        [[group]]
        name = "guests"
        [[rule]]
        group = "guests"
        schedule = "weekend"
        """

    init() throws {
        fixture = try RepositoryFixture()
        (root, targets) = try fixture.makeWithCeremony()
        try apply(Self.rules)
        try fixture.sign(.root, [root[0], root[1]])
        try fixture.sign(.targets, [targets])
    }

    private func apply(_ rules: String) throws {
        try fixture.scratch.write("rules.toml", Array(rules.utf8))
        _ = try authority.applyRules(at: fixture.scratch.path("rules.toml"), now: now)
    }

    private func carried(_ draft: Draft) throws -> Draft { try #require(Draft(parsing: draft.bytes)) }

    /// The marked lines that the holder of the key of targets reads.
    private func marked() throws -> [String] {
        let judged = try Authority.judge(carried(authority.draft(.targets, now: now)), forKeyAt: targets)
        #expect(judged.past == .known(.thisKey))
        return judged.lines.filter { !$0.contains("site data no. ") && ["+", "-", "!"].contains($0.prefix(1)) }
    }

    @Test func aWeekendThatBecomesEveryDayIsReadInWords() throws {
        try apply(Self.rules.split(separator: "\n").map { $0 == "week = [\"Sat,Sun\"]" ? "week = [\"daily\"]" : String($0) }.joined(separator: "\n"))
        #expect(try marked() == ["+ schedule 'weekend': every day 00:00-24:00", "- schedule 'weekend': Monday to Friday never; Saturday, Sunday 00:00-24:00"])
    }

    @Test func aRuleThatLosesItsScheduleReadsOtherwise() throws {
        try apply(String(Self.rules.dropLast("\nschedule = \"weekend\"".count)))
        #expect(try Set(marked()) == [
            "+ group 'guests' may pass every lane at ALL times", "- group 'guests' may pass every lane during the schedule 'weekend'"
        ])
    }

    @Test func anotherEpochIsMarked() throws {
        try authority.database.transaction { () throws(AuthorityError) in try authority.database.setRepository(path: fixture.path, epoch: 2) }
        #expect(try marked() == ["+ people are counted in epoch 2", "- people are counted in epoch 1"])
    }

    @Test func aDraftForASiteThatItsDataAreNotOfIsNone() throws {
        _ = try authority.rotateIssuer(name: "thief", now: now)
        let draft = try authority.draft(.targets, now: now)
        #expect(Draft(parsing: draft.bytes) != nil)
        for site in ["north ", "South", "north\u{301}", ""] {
            let made = Draft(site: site, role: .targets, signed: draft.signed, inForce: draft.inForce, rootFile: draft.rootFile, siteData: draft.siteData,
                             siteDataBefore: draft.siteDataBefore)
            #expect(Draft(parsing: made.bytes) == nil, "its issuer would not be shown")
        }
    }

    @Test func nothingIsComparedWithSiteDataThatCannotBeRead() throws {
        let draft = try authority.draft(.targets, now: now), data = Array("nothing".utf8)
        var before = try #require(draft.before)
        before["targets"] = .object(JSONObject([(SignedPart.siteData, SignedPart.File(path: SignedPart.siteData, length: data.count, hash: SHA256.hash(data)).json)]))
        let made = try carried(Draft(site: draft.site, role: .targets, signed: draft.signed, inForce: ["signatures": [], "signed": .object(before)],
                                     rootFile: draft.rootFile, siteData: draft.siteData, siteDataBefore: data))
        // The key may have signed it: an older version did not read it.
        var record = try SigningRecord(ofKeyAt: targets)
        try record.add(.init(site: "north", role: .targets, version: 1, digest: MetadataFile.digest(before)), ofKeyAt: targets)
        for judged in [try Authority.judge(made, forKeyAt: targets), authority.judge(made)] {
            #expect(judged.past == .unknown(.siteDataUnreadable))
            #expect(judged.lines.contains { $0.hasPrefix("! NOT compared with version 1, whose part of the site cannot be read") })
            #expect(judged.lines.contains { $0.hasPrefix("  token issuer") })
        }
    }

    /// The root of one site with the name of another on it: what the key has signed would not be looked at.
    @Test func aRootUnderAnotherNameIsNoticedByWhatTheKeyHasSigned() throws {
        let draft = try authority.draft(.root, now: now)
        for inForce in [draft.inForce, nil] {
            var signed = draft.signed
            if inForce == nil { signed["version"] = 1 }
            let made = try carried(Draft(site: "south", role: .root, signed: signed, inForce: inForce))
            try fixture.scratch.write("trusted.json", try #require(try authority.database.metadata(.root)))
            for roots in [[], [fixture.scratch.path("trusted.json")]] {
                let judged = try Authority.judge(made, forKeyAt: root[0], roots: roots)
                #expect(judged.past == .unknown(.otherSites(["north"], this: "south")) && !judged.past.isKnown)
                #expect(judged.lines.contains { $0.hasPrefix("! NOT compared: this key has signed for the site 'north' and never for 'south'") })
            }
            // A key that has signed nothing knows no site.
            let past = try Authority.judge(made, forKeyAt: root[2]).past
            #expect(past == (inForce == nil ? .nothing : .unknown(.notSignedByThisKey)))
        }
    }

    @Test(arguments: [Int64(0), -1, 4]) func aRoleThatAnybodyOrNobodySignsForMakesNoDraft(threshold: Int64) throws {
        let draft = try authority.draft(.root, now: now)
        var signed = draft.signed, roles = try #require(signed["roles"]?.object), own = try #require(roles["root"]?.object)
        own["threshold"] = .integer(threshold)
        roles["root"] = .object(own)
        signed["roles"] = .object(roles)
        #expect(Draft(parsing: Draft(site: draft.site, role: .root, signed: signed, inForce: draft.inForce).bytes) == nil)
        let site = try authority.draft(.targets, now: now)
        var made = site.signed, delegations = try #require(made["delegations"]?.object), people = try #require(delegations["roles"]?.array?.first?.object)
        people["threshold"] = .integer(threshold)
        delegations["roles"] = [.object(people)]
        made["delegations"] = .object(delegations)
        #expect(Draft(parsing: Draft(site: site.site, role: .targets, signed: made, inForce: site.inForce, rootFile: site.rootFile, siteData: site.siteData,
                                     siteDataBefore: site.siteDataBefore).bytes) == nil)
    }
}
