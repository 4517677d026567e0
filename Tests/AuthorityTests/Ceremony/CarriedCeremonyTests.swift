import Cryptography
import Encoding
import Glibc
import SiteData
import Testing

@testable import Authority

/// What has to be signed goes from hand to hand in a folder. Whoever is interrupted, has the wrong medium or the wrong key does no harm.
@Suite("A ceremony in a folder") struct CarriedCeremonyTests {
    let fixture: RepositoryFixture
    var authority: Authority { fixture.authority }
    var folder: String { fixture.scratch.path("carried") }

    init() throws { fixture = try RepositoryFixture() }

    private func code(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch let error as AuthorityError {
            #expect(error.message.hasSuffix("."))
            return error.code
        } catch {
            return "\(error)"
        }
    }

    private var beginning: CeremonyPlan {
        var plan = CeremonyPlan()
        plan.repository = fixture.path
        plan.holders = [.root: ["alice", "bob", "carol"], .targets: ["tom"]]
        plan.thresholds = [.root: 2]
        return plan
    }

    private func key(_ name: String) -> String { fixture.scratch.path("\(name).key") }
    private func carried() throws -> CarriedCeremony { try CarriedCeremony(at: folder) }

    /// What a holder's one command does. Answers how many drafts were signed.
    @discardableResult
    private func serve(_ names: String...) throws -> Int {
        var count = 0
        for name in names { _ = try carried().bringKey(at: key(name)) }
        for name in names {
            for judged in try carried().toSign(withKeyAt: key(name), roots: []) {
                _ = try carried().sign(judged, withKeyAt: key(name))
                count += 1
            }
        }
        return count
    }

    @discardableResult
    private func office(_ plan: CeremonyPlan = CeremonyPlan()) throws -> CarriedCeremony? { try authority.ceremony(at: folder, plan, now: now) }

    private func finish() throws -> PublishedRepository? {
        let ceremony = try carried()
        return try authority.finish(ceremony, #require(try ceremony.result()), now: now)
    }

    /// A site of three people in service, by one command for each.
    private func begin() throws {
        try office(beginning)
        try serve("alice", "bob", "carol", "tom")
        _ = try finish()
    }

    @Test func threePeopleBeginASiteWithOneCommandForTheOfficeBeforeAndAfter() throws {
        #expect(try office(beginning)?.next() == [
            .makeKey(.root, name: "alice"), .makeKey(.root, name: "bob"), .makeKey(.root, name: "carol"), .makeKey(.targets, name: "tom")
        ])
        #expect(try serve("alice", "bob") == 0, "nobody signs before every key is there")
        #expect(try serve("tom") == 0)
        #expect(try serve("carol") == 1)
        #expect(try carried().next() == [.sign(.root, version: 1, more: 1, of: ["alice", "bob"]), .sign(.targets, version: 1, more: 1, of: ["tom"])])
        #expect(try serve("alice", "tom") == 2)
        #expect(try serve("bob") == 0, "enough have signed")
        #expect(try carried().next().isEmpty && carried().isFirst)
        #expect(try finish()?.versions[.timestamp] == 1)
        #expect(try fixture.check().versions == [.root: 1, .targets: 1, .people: 1, .snapshot: 1, .timestamp: 1])
        #expect(try authority.signed(.root)?.keys(of: .root).threshold == 2)
        #expect(try fixture.scratch.names("carried").isEmpty && !fixture.scratch.names("site").contains("ceremony.json"))
        #expect(try office() == nil, "nothing has to be signed")
    }

    @Test func allMediaAtOnceNeedOneCommand() throws {
        try office(beginning)
        #expect(try serve("alice", "bob", "carol", "tom") == 3)
        #expect(try carried().next().isEmpty)
    }

    @Test func theSameCommandGoesOnWhereItWasInterrupted() throws {
        for _ in 0..<2 { try office(beginning) }
        #expect(code { try office({ var other = beginning; other.thresholds = [.root: 1]; return other }()) } == "ceremony-under-way")
        // The key was made, and the stick was pulled out before its public half was on it.
        try serve("alice", "bob", "carol")
        try fixture.scratch.remove("carried/bob.pub")
        let before = try fixture.scratch.bytes("bob.key")
        #expect(try carried().bringKey(at: key("bob"))?.name == "bob")
        #expect(try carried().bringKey(at: key("bob")) == nil)
        #expect(try fixture.scratch.bytes("bob.key") == before)
        try serve("tom", "alice", "bob")
        // A signature was cut off: it counts for nothing, and is given once more.
        let signature = try #require(try fixture.scratch.names("carried").first { $0.hasPrefix("root-") })
        try fixture.scratch.write("carried/\(signature)", Array("{".utf8))
        #expect(try carried().next().count == 1)
        try serve("alice", "bob")
        // The office is ended at each of its writes.
        var interruptions = 0
        while true {
            var left = interruptions + 1
            authority.beforeWriting = RepositoryFolder.Interruption { () throws(AuthorityError) in
                left -= 1
                if left == 0 { throw .noRules }
            }
            guard code({ _ = try finish() }) != nil else { break }
            interruptions += 1
            #expect(try office()?.next().isEmpty == true)
        }
        #expect(interruptions >= 4)
        #expect(try fixture.check().versions[.root] == 1)
    }

    @Test func theWrongStickIsNamed() throws {
        try office(beginning)
        let other = try RepositoryFixture()
        var plan = beginning
        plan.repository = other.path
        _ = try Authority.make(inFolder: fixture.scratch.path("south"), site: "south", issuer: "south", now: now)
            .ceremony(at: fixture.scratch.path("southern"), plan, now: now)
        #expect(code { _ = try authority.ceremony(at: fixture.scratch.path("southern"), CeremonyPlan(), now: now) } == "ceremony-other")
        _ = try other.authority.ceremony(at: other.scratch.path("carried"), plan, now: now)
        #expect(code { _ = try RepositoryFixture().authority.ceremony(at: folder, CeremonyPlan(), now: now) } == "ceremony-other")
        #expect(code { _ = try authority.ceremony(at: other.scratch.path("carried"), CeremonyPlan(), now: now) } == "ceremony-other", "the same name, another office")
        #expect(code { _ = try CarriedCeremony(at: fixture.scratch.path("nowhere")) } == "ceremony-missing")
        // A new stick gets what is asked for once more.
        try serve("alice")
        let second = fixture.scratch.path("second")
        #expect(try authority.ceremony(at: second, CeremonyPlan(), now: now)?.next().count == 4)
        #expect(try CarriedCeremony(at: second).bringKey(at: key("alice"))?.name == "alice")
    }

    @Test func theWrongKeyIsNamed() throws {
        try office(beginning)
        #expect(code { try serve("mallory") } == "ceremony-holder-unknown")
        #expect(code { _ = try carried().bringKey(at: "\(folder)/alice.key") } == "ceremony-key-carried")
        try serve("alice")
        try fixture.scratch.remove("alice.key")
        #expect(code { try serve("alice") } == "ceremony-key-elsewhere", "another medium: no second key is made")
        try fixture.scratch.remove("alice.pub")
        _ = try fixture.key(.root, "alice")
        #expect(code { try serve("alice") } == "ceremony-key-differs")
        _ = try fixture.key(.targets, "bob")
        #expect(code { try serve("bob") } == "key-wrong-role")
        try fixture.scratch.remove("carried/alice.pub")
        try fixture.scratch.remove("bob.key")
        try fixture.scratch.remove("bob.pub")
        try serve("alice", "bob", "carol", "tom")
        _ = try fixture.key(.root, "stranger")
        #expect(code { try serve("stranger") } == "signature-of-stranger")
        for names in [["al/ice"], ["Alice"], [""], ["alice", "alice"]] {
            var plan = beginning
            plan.holders[.root] = names
            let other = try RepositoryFixture()
            #expect(code { _ = try other.authority.ceremony(at: other.scratch.path("carried"), plan, now: now) } == "ceremony-bad-name")
        }
    }

    /// Whoever had the stick for a night.
    @Test func aKeyThatAThiefPutsInIsOnTheScreenOfWhoeverSigns() throws {
        try office(beginning)
        try serve("bob", "carol")
        let thief = try fixture.key(.root, "thief")
        try fixture.scratch.write("carried/alice.pub", fixture.scratch.bytes("thief.pub"))
        try serve("tom")
        let judged = try #require(try carried().toSign(withKeyAt: key("bob"), roots: []).first)
        let identifier = try publicHalf(.root, at: thief).metadataIdentifier
        #expect(judged.lines.contains { $0.contains("key of root: \(identifier)") })
        #expect(code { try serve("alice") } == "ceremony-key-elsewhere", "and Alice finds that somebody was before her")
    }

    /// The office said that it counts for nothing.
    @Test func aSignatureOutlivesTheCeremonyThatIsGivenUp() throws {
        try office(beginning)
        try serve("bob", "carol", "alice", "tom")
        for name in try fixture.scratch.names("carried") where name.hasPrefix("root-") { try fixture.scratch.remove("carried/\(name)") }
        try serve("alice")
        let left = try #require(try authority.cancelCeremony(at: folder))
        #expect(left.map(\.role) == [.root, .targets] && left.map(\.names) == [["alice"], ["tom"]] && left.map(\.isEnough) == [false, true])
        #expect(try fixture.scratch.names("carried").isEmpty)
        #expect(try authority.cancelCeremony(at: folder) == nil)
    }

    @Test func namesOfOtherHoldersStandBesideTheirKeysAsTheMediumSaysThem() throws {
        try office(beginning)
        try serve("alice", "bob", "carol", "tom")
        for name in ["alice", "carol", "tom"] { try fixture.scratch.remove("\(name).pub") }
        for name in try fixture.scratch.names("carried") where name.hasPrefix("root-") { try fixture.scratch.remove("carried/\(name)") }
        let lines = try #require(try carried().toSign(withKeyAt: key("bob"), roots: []).first).lines
        #expect(lines.contains { $0.hasSuffix("(bob)") } && lines.contains { $0.hasSuffix("(called carol by the medium)") })
    }

    /// `rotate targets --valid 10d` was drafted by `draft root` and unknown to the ceremony.
    @Test func anotherTimeForWhichARoleCountsIsAskedFor() throws {
        try office(beginning)
        try serve("alice", "bob", "carol", "tom")
        try serve("alice", "bob")
        _ = try finish()
        #expect(try office() == nil)
        _ = try authority.rotate(.targets, { var other = Authority.Rotation(); other.validSeconds = 10 * 86_400; return other }(), now: now)
        #expect(try office()?.next() == [.sign(.targets, version: 2, more: 1, of: ["tom"])])
    }

    /// Lines that have scrolled away are hidden lines.
    @Test func theSummaryHasTheKeysTheIssuersAndTheWarningsOnceMore() throws {
        try office(beginning)
        try serve("alice", "bob", "carol", "tom")
        let draft = try #require(try carried().drafts().last)
        let judged = JudgedDraft(draft, .nothing, names: [:]), summary = judged.summary
        #expect(summary[0].hasPrefix("These were \(judged.lines.count) lines; ") && summary[0].contains("1 × token issuer"))
        for kind in ["+ token issuer ", "+ gate issuer ", "+ key of people: ", "  people needs 1 of 1 keys", "+ people may be given "] {
            #expect(summary.contains { $0.hasPrefix(kind) }, "\(kind)")
        }
    }

    /// A medium that answers otherwise when it is read again.
    @Test func theOfficeTakesWhatItWasShown() throws {
        try office(beginning)
        try serve("alice", "bob", "carol", "tom")
        let ceremony = try carried(), shown = try #require(try ceremony.result())
        _ = try fixture.key(.root, "thief")
        for name in ["alice", "bob", "carol"] { try fixture.scratch.write("carried/\(name).pub", fixture.scratch.bytes("thief.pub")) }
        _ = try authority.finish(ceremony, shown, now: now)
        #expect(try authority.signed(.root) == shown.drafts.first?.signed)
        #expect(try authority.signed(.root)?.keys(of: .root).identifiers.contains(publicHalf(.root, at: key("alice")).metadataIdentifier) == true)
    }

    @Test func whatIsAskedForIsNotChangedOnTheWay() throws {
        try office(beginning)
        var json = try #require(try JSON.parse(fixture.scratch.bytes("carried/ceremony.json")).object)
        var root = try #require(json["root"]?.object), signed = try #require(root["signed"]?.object)
        signed["x-more"] = 1
        root["signed"] = .object(signed)
        json["root"] = .object(root)
        try fixture.scratch.write("carried/ceremony.json", JSON.object(json).canonical)
        #expect(code { try office() } == "ceremony-other")
        // Nothing that is not shown is made of it either.
        try serve("alice", "bob", "carol", "tom")
        for draft in try carried().drafts() { #expect(draft.hasNothingElse && draft.signed["x-more"] == nil) }
        #expect(code { _ = try finish() } == "ceremony-other")
        try authority.cancelCeremony(at: folder)
        try fixture.scratch.write("carried/ceremony.json", Array("{}".utf8))
        #expect(code { try office(beginning) } == "ceremony-malformed")
    }

    /// The stick has a file system that knows links and pipes.
    @Test func nothingLeadsOutOfTheFolderAndNothingHoldsUp() throws {
        try office(beginning)
        try fixture.scratch.write("precious", [1, 2, 3])
        #expect(symlink(fixture.scratch.path("precious"), "\(folder)/alice.pub.new") == 0)
        try serve("alice")
        #expect(try fixture.scratch.bytes("precious") == [1, 2, 3] && carried().made()["alice"] != nil)
        #expect(mkfifo("\(folder)/root-0.sig", 0o600) == 0)
        #expect(symlink("/dev/zero", "\(folder)/root-1.sig") == 0)
        try serve("bob", "carol", "tom")
        #expect(mkfifo("\(folder)/other", 0o600) == 0 && rename("\(folder)/other", "\(folder)/bob.pub") == 0)
        #expect(code { _ = try carried().next() } == "not-a-file")
        #expect(unlink("\(folder)/bob.pub") == 0 && symlink(fixture.scratch.path("bob.pub"), "\(folder)/bob.pub") == 0)
        #expect(code { _ = try carried().next() } == "system-call-failed")
        #expect(rename("\(folder)/root-0.sig", "\(folder)/ceremony.json") == 0)
        #expect(code { try office() } == "not-a-file")
    }

    @Test func aLaterChangeIsSignedByOneCommandEach() throws {
        try begin()
        _ = try authority.makeGates(name: "main", now: now)
        #expect(try office()?.next() == [.sign(.targets, version: 2, more: 1, of: ["tom"])])
        #expect(try serve("tom") == 1)
        #expect(try finish()?.versions[.targets] == 2)
        _ = try authority.rotate(.snapshot, Authority.Rotation(), now: now)
        #expect(try office()?.next() == [.sign(.root, version: 2, more: 2, of: ["alice", "bob", "carol"])])
        #expect(try serve("bob") + serve("carol") == 2)
        #expect(try finish()?.versions[.root] == 2)
        #expect(try office() == nil)
    }

    /// Carol's key is lost. Root and what targets sign under it are asked for at once.
    @Test func oneHolderTakesThePlaceOfAnother() throws {
        try begin()
        var plan = CeremonyPlan()
        plan.holders = [.root: ["dave"], .targets: ["tina"]]
        plan.removed = ["carol", "tom"]
        #expect(try office(plan)?.next() == [.makeKey(.root, name: "dave"), .makeKey(.targets, name: "tina")])
        #expect(try serve("tina") == 0)
        #expect(try serve("dave") == 1)
        #expect(try carried().next() == [.sign(.root, version: 2, more: 2, of: ["alice", "bob", "carol"]), .sign(.targets, version: 2, more: 1, of: ["tina"])])
        #expect(try serve("alice") + serve("bob", "tina") == 3)
        #expect(try finish()?.versions[.targets] == 2)
        let keys = try authority.database.roleKeys().filter { $0.until == nil }.map(\.identifier)
        for (name, role) in [("dave", RepositoryRole.root), ("tina", .targets)] { #expect(try keys.contains(publicHalf(role, at: key(name)).metadataIdentifier)) }
        for (name, role) in [("carol", RepositoryRole.root), ("tom", .targets)] { #expect(try !keys.contains(publicHalf(role, at: key(name)).metadataIdentifier)) }
        #expect(try fixture.check().versions[.root] == 2 && office() == nil)
        plan = CeremonyPlan()
        plan.removed = ["carol"]
        #expect(code { try office(plan) } == "role-key-unknown")
    }

    /// The office was ended when all was done but for the folder.
    @Test func whatIsLeftOfAFinishedCeremonyIsTakenAway() throws {
        try office(beginning)
        let left = try fixture.scratch.bytes("carried/ceremony.json")
        try serve("alice", "bob", "carol", "tom")
        _ = try finish()
        try fixture.scratch.write("carried/ceremony.json", left)
        #expect(try office() == nil && fixture.scratch.names("carried").isEmpty)
    }

    @Test func aCeremonyIsGivenUp() throws {
        try office(beginning)
        try serve("alice")
        try authority.cancelCeremony(at: folder)
        #expect(try fixture.scratch.names("carried").isEmpty)
        #expect(code { _ = try finish() } == "ceremony-missing")
        #expect(code { try office() } == "repository-missing")
        try begin()
    }
}
