import Credentials
import Foundation
import SiteData
import SiteRules
import Testing

@testable import Authority

/// The site's rules: a file that is taken whole or not at all.
@Suite struct RulesTests {
    private static let text = """
        time-zone = "Europe/Berlin"
        [[schedule]]
        name = "office"
        week = ["Mon-Fri 07:00-19:00"]
        [[group]]
        name = "staff"
        members-file = "staff.txt"
        [[rule]]
        group = "staff"
        schedule = "office"
        """

    private static func rules(in records: [PublicationRecord]) -> [SiteRecord] {
        records.compactMap { if case .rule(let rule) = $0 { rule } else { nil } }
    }

    private func publish(_ authority: Authority, _ scratch: ScratchFolder) throws -> [SiteRecord] {
        try Self.rules(in: RepositoryFixture(authority, in: scratch).published())
    }

    private func apply(_ text: String, _ members: [String], _ authority: Authority, _ scratch: ScratchFolder) throws -> AppliedRules {
        try scratch.write("rules.toml", Array(text.utf8))
        try scratch.write("staff.txt", Array(members.map { "\($0)\n" }.joined().utf8))
        return try authority.applyRules(at: scratch.path("rules.toml"), now: now)
    }

    @Test func theyAreCheckedKeptAndPublished() throws {
        let scratch = try ScratchFolder()
        let authority = try makeAuthority(in: scratch)
        #expect(try authority.keptRules() == nil)
        #expect(try publish(authority, scratch) == [], "a site without rules")
        let taken = try apply(Self.text, ["ben", "anna"], authority, scratch)
        #expect(taken.rules == 3 && taken.memberships == 2 && taken.warnings.isEmpty)
        #expect(try authority.keptRules()?.text == Array(Self.text.utf8))
        let published = try publish(authority, scratch)
        #expect(published.map(\.kind) == [5, 7, 9, 11, 11])
        #expect(Set(published.suffix(2)) == [.membership(Membership(group: "staff", subject: "anna")), .membership(Membership(group: "staff", subject: "ben"))])
        var listed: [Membership] = []
        try authority.forEachMembership { listed.append($0) }
        #expect(listed.map(\.subject) == ["anna", "ben"])
    }

    @Test func theNextFileTakesThePlaceOfTheOneBefore() throws {
        let scratch = try ScratchFolder()
        let authority = try makeAuthority(in: scratch)
        _ = try apply(Self.text, ["anna", "ben"], authority, scratch)
        _ = try apply(Self.text, ["ben", "carl"], authority, scratch)
        #expect(try publish(authority, scratch).compactMap { if case .membership(let who) = $0 { who.subject } else { nil } }.sorted() == ["ben", "carl"])
        _ = try apply("", [], authority, scratch)
        #expect(try publish(authority, scratch) == [])
    }

    @Test func aFileWithMistakesChangesNothing() throws {
        let scratch = try ScratchFolder()
        let authority = try makeAuthority(in: scratch)
        _ = try apply(Self.text, ["anna"], authority, scratch)
        let before = try publish(authority, scratch)
        do {
            _ = try apply(Self.text.replacingOccurrences(of: "[[rule]]\ngroup = \"staff\"", with: "[[rule]]\ngroup = \"stuff\"") + "\nlane = 3",
                         ["ben", "c\u{7}rl"], authority, scratch)
            Issue.record("it has three mistakes")
        } catch let error as AuthorityError {
            #expect(error.code == "site-file-invalid")
            let told = error.details.joined(separator: "\n")
            #expect(told.contains("rules.toml:9:9: error unknown-name") && told.contains("staff.txt:2:2: error name-forbidden"))
            #expect(told.contains("rules.toml:11:1: error unknown-setting"))
        }
        #expect(try publish(authority, scratch) == before)
    }

    @Test func wordsAndRevocationsOfTheRulesArePublished() throws {
        let scratch = try ScratchFolder()
        let authority = try makeAuthority(in: scratch)
        _ = try apply("""
            [[message]]
            reason = "granted"
            language = "en"
            text = "Welcome"
            [[revocation]]
            subject = "mallory"
            """, [], authority, scratch)
        let records = try RepositoryFixture(authority, in: scratch).published()
        #expect(records.contains(.message(try #require(SiteMessage(language: "en", name: "granted", text: "Welcome")))))
        #expect(records.contains(.revocation(.subject("mallory"))))
    }

    /// Whoever keeps the file of members exported nobody but the one who was new.
    @Test func aFileThatLacksManyMembersIsRefusedUntilSomebodyMeansIt() throws {
        let scratch = try ScratchFolder()
        let authority = try makeAuthority(in: scratch)
        _ = try apply(Self.text, (0..<50).map { "p\($0)" }, authority, scratch)
        func applyAgain(_ members: Range<Int>, mostLost: Int?) throws -> Int {
            try scratch.write("staff.txt", Array(members.map { "p\($0)\n" }.joined().utf8))
            return try authority.applyRules(at: scratch.path("rules.toml"), mostLost: mostLost, now: now).memberships
        }
        func members() throws -> Int64 { try authority.database.connection.integer("SELECT count(*) FROM membership") }
        #expect(throws: AuthorityError.tooMuchLost(ListLoss(count: 50, total: 50))) { try applyAgain(50..<51, mostLost: 20) }
        #expect(throws: AuthorityError.tooMuchLost(ListLoss(count: 11, total: 50))) { try applyAgain(11..<60, mostLost: 20) }
        #expect(try members() == 50)
        #expect(try applyAgain(10..<60, mostLost: 20) == 50 && members() == 50)
        #expect(try applyAgain(50..<51, mostLost: nil) == 1 && members() == 1)
    }

    @Test func aCheckKeepsNothing() throws {
        let scratch = try ScratchFolder()
        let authority = try makeAuthority(in: scratch)
        try scratch.write("rules.toml", Array("time-zone = \"UTC\"".utf8))
        #expect(try Authority.checkRules(at: scratch.path("rules.toml")).rules == 1)
        #expect(try authority.keptRules() == nil)
    }

    @Test func aHundredThousandMembers() throws {
        let scratch = try ScratchFolder()
        let authority = try makeAuthority(in: scratch)
        let members = (0..<100_000).map { "person \($0)" }
        #expect(try apply(Self.text, members, authority, scratch).memberships == 100_000)
        #expect(try publish(authority, scratch).count { if case .membership = $0 { true } else { false } } == 100_000)
    }
}
