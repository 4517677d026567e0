import Credentials
import Cryptography
import SiteData
import SiteRules
import Testing

@testable import Storage

/// What a site decided about time and places, and who belongs to which group.
@Suite struct TrustRulesTests {
    static let office = SiteRecord.schedule(Schedule(name: "office", week: [.monday: [.wholeDay]]))
    static let rule = SiteRecord.access(AccessRule(group: "staff", lanes: ["entry"], schedule: "office"))

    static func member(_ subject: String, of group: String) -> PublicationRecord {
        .rule(.membership(Membership(group: group, subject: subject)))
    }

    static func groups(of subject: String, in store: TrustStore) throws -> [String] {
        try store.answer(TrustQuestion(issuer: nil, revocations: [], subject: subject, enrolled: .none)).groups
    }

    @Test func rulesComeAndGoWithTheirPublication() throws {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        #expect(store.rules.isEmpty)
        let published = try fixture.apply(fixture.publication([.rule(Self.office), .rule(Self.rule), Self.member("anna", of: "staff")]), to: store)
        #expect(published.counts.rules == 3 && published.counts.memberships == 1)
        #expect(store.rules.records == [Self.office, Self.rule])
        store.close()
        let again = try fixture.open()
        #expect(again.rules.records == [Self.office, Self.rule])
        #expect(again.status.publication?.counts == published.counts)
        try fixture.apply(try fixture.publication([], version: 2), to: again)
        #expect(again.rules.isEmpty)
    }

    @Test func groupsOfASubjectAndOfEnrolledKeys() throws {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        let key = try fixture.enrolled(7, subject: "anna")
        var records: [PublicationRecord] = [
            .rule(Self.rule), .enrolled(key), Self.member("anna", of: "staff"), Self.member("ben", of: "guests"), Self.member("anna", of: "board")
        ]
        records += (0..<500).map { Self.member("person \($0)", of: "guests") }
        try fixture.apply(try fixture.publication(records), to: store)
        #expect(try Self.groups(of: "anna", in: store).sorted() == ["board", "staff"])
        #expect(try Self.groups(of: "ben", in: store) == ["guests"])
        #expect(try Self.groups(of: "Anna", in: store) == [])
        #expect(try Self.groups(of: "person 499", in: store) == ["guests"])
        let candidates = try store.answer(TrustFixture.question(kid: TrustFixture.kid(7))).enrolled
        #expect(candidates.map { $0.groups.sorted() } == [["board", "staff"]])
        #expect(try store.answer(TrustFixture.question(kid: TrustFixture.kid(7))).groups == [], "nobody was asked for")
    }

    /// Where nothing depends on groups a tap does not look them up.
    @Test func groupsAreAskedForOnlyWhereSomethingDependsOnThem() throws {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        let member = Self.member("anna", of: "board")
        try fixture.apply(try fixture.publication([member]), to: store)
        #expect(try Self.groups(of: "anna", in: store) == [])
        let zone = SiteRecord.zone(ZoneRule(zone: "hall", passback: .hard, exemptGroups: ["board"]))
        try fixture.apply(try fixture.publication([member, .rule(zone)], version: 2), to: store)
        #expect(try Self.groups(of: "anna", in: store) == ["board"])
        let other = SiteRecord.zone(ZoneRule(zone: "hall", passback: .hard))
        try fixture.apply(try fixture.publication([member, .rule(other)], version: 3), to: store)
        #expect(try Self.groups(of: "anna", in: store) == [])
    }

    /// A Latin and a Cyrillic o: two people.
    @Test func namesThatOnlyLookAlikeStayApart() throws {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        try fixture.apply(try fixture.publication([.rule(Self.rule), Self.member("Zoe", of: "staff"), Self.member("Z\u{43E}e", of: "guests")]), to: store)
        #expect(try Self.groups(of: "Zoe", in: store) == ["staff"])
        #expect(try Self.groups(of: "Z\u{43E}e", in: store) == ["guests"])
    }

    /// Unicode takes the two names for one, and their bytes differ: no publication has the second.
    @Test func oneNameHasOneForm() throws {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        var published = try fixture.publication([.rule(Self.rule), Self.member("Zoe42", of: "guests")])
        published.full.replace(Array("Zoe42".utf8), with: Array("Zoe\u{301}".utf8))
        #expect(fixture.refusal(published, by: store)?.code == "bundle-malformed")
    }

    /// One more than anybody may be in, so that whoever judges sees that it is not all.
    @Test func aSubjectOfMoreGroupsThanAreLookedAtShowsIt() throws {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        let many = (0..<100).map { Self.member("anna", of: "group \($0)") }
        let full = (0..<Membership.mostOfOne).map { Self.member("bob", of: "group \($0)") }
        try fixture.apply(try fixture.publication([.rule(Self.rule)] + many + full), to: store)
        #expect(try Self.groups(of: "anna", in: store).count == Membership.mostOfOne + 1)
        #expect(try Self.groups(of: "bob", in: store).count == Membership.mostOfOne)
    }

    @Test func theLookUpGoesByTheIndex() throws {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        try fixture.apply(try fixture.publication([.rule(Self.rule), Self.member("anna", of: "staff")]), to: store)
        store.close()
        let connection = try SQLiteConnection(path: fixture.folder.path("trust.db"), access: .readWrite, cacheKibibytes: 64)
        let plan = try connection.prepare("EXPLAIN QUERY PLAN SELECT member_of FROM membership WHERE person = ?1 LIMIT 64")
        #expect(try plan.step())
        #expect(plan.text(3).contains("COVERING INDEX membership_by_person"), "\(plan.text(3))")
    }

    @Test func aDamagedRuleSetsTheFileAside() throws {
        for damage in ["UPDATE rule SET record = x'82'", "UPDATE rule SET record = x'8107'", "INSERT INTO rule SELECT NULL, record FROM rule",
                       "UPDATE publication SET origin = 9"] {
            let fixture = try TrustFixture()
            let store = try fixture.open()
            try fixture.apply(try fixture.publication([.rule(Self.office)]), to: store)
            store.close()
            let connection = try SQLiteConnection(path: fixture.folder.path("trust.db"), access: .readWrite, cacheKibibytes: 64)
            try connection.execute(damage)
            let again = try fixture.open()
            #expect(again.status.setAside == "trust.db.corrupt-1", "\(damage)")
            #expect(again.rules.isEmpty)
        }
    }
}
