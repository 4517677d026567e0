import Credentials
import Cryptography
import Encoding
import SeededNumbers
import SiteData
import SiteRules
import Testing

@testable import Authority

/// People in a repository: everybody, and what changed; a gate comes to the same state by both.
@Suite("People in a repository") struct PeoplePublicationTests {
    let fixture: RepositoryFixture
    var authority: Authority { fixture.authority }

    init() throws {
        fixture = try RepositoryFixture()
        try fixture.makeTogether()
    }

    /// What the database says, with the digest that a gate would work out.
    private func expected() throws -> (records: [RecordKey: PublicationRecord], digest: [UInt8]) {
        var records: [RecordKey: PublicationRecord] = [:]
        var sum = StateSum()
        var counts = PublicationCounts()
        var last: RecordKey?
        try authority.forEachPerson { record in
            let key = RecordKey(record)
            #expect(last.map { $0 < key } ?? true, "in the order of keys")
            last = key
            records[key] = record
            sum.add(record)
            counts.count(record)
        }
        return (records, sum.digest(site: "north", counts: counts))
    }

    private func expectPublished(version: UInt64) throws {
        let people = try fixture.people(), expected = try expected()
        #expect(people.records == expected.records)
        #expect(people.state == SignedState(epoch: 1, version: version, digest: expected.digest))
    }

    @Test func everyKindOfRecordIsPublished() throws {
        let key = try phoneKey()
        try fixture.enrol("anna", key)
        try fixture.enrol("ben")
        for number in 0..<20 { _ = try authority.revoke(.subject("gone \(number)"), now: now) }
        _ = try authority.revoke(.key(thumbprint: phoneKey().thumbprint), now: now)
        _ = try authority.revoke(.issued(issuer: "north-issuer", cti: [1, 2]), now: now)
        _ = try authority.suspend(subject: "ben", now: now)
        let rows = try MembershipRows(authority.database)
        for number in 0..<20 { _ = try rows.add(Membership(group: "g\(number % 3)", subject: "s\(number)"), by: .command) }
        #expect(try authority.publish(now: now).changes == 45)
        try expectPublished(version: 2)
    }

    private func list(_ text: String) throws {
        try fixture.scratch.write("list.csv", Array(text.utf8))
        _ = try authority.importPeople(at: fixture.scratch.path("list.csv"), now: now)
    }

    private func rules(_ members: [String]) throws {
        let text = "[people]\nuid-only-cards = true\n[[group]]\nname = \"g\"\nmembers-file = \"g.txt\"\n[[rule]]\ngroup = \"g\"\n"
        try fixture.scratch.write("rules.toml", Array(text.utf8))
        try fixture.scratch.write("g.txt", Array(Set(members).map { "\($0)\n" }.joined().utf8))
        _ = try authority.applyRules(at: fixture.scratch.path("rules.toml"), now: now)
    }

    /// Any sequence of changes: the file with everybody and the changes since lead to what the authority knows.
    @Test(arguments: UInt64(0)..<2) func changesLeadToTheSameState(_ seed: UInt64) throws {
        var dice = SeededNumbers(seed: seed)
        var keys: [PublicKey] = []
        for _ in 0..<60 {
            keys.append(try phoneKey())
            try fixture.enrol("person \(keys.count)", keys[keys.count - 1])
        }
        try rules([])
        _ = try authority.publish(now: now)
        for round in 0..<30 as Range<UInt64> {
            for _ in 0..<Int.random(in: 1...8, using: &dice) {
                let index = Int.random(in: 0..<keys.count, using: &dice)
                let card = Hex.encode([4, 1, 2, 3, 4, 5, UInt8(index % 8)])
                switch Int.random(in: 0..<9, using: &dice) {
                case 0: try fixture.enrol("other \(round) \(index)", keys[index])
                case 1: try fixture.enrol("person \(index + 1)", keys[index])
                case 2: _ = try authority.suspend(subject: "s\(index % 4)", now: now)
                case 3: _ = try? authority.resume(subject: "s\(index % 4)")
                case 4: try list("subject,groups\nm\(index % 8),g\n")
                case 5: try list("subject,groups,action\nm\(index % 8),g,remove\n")
                case 6: try rules(["m\(index % 8)", "m\(index % 3)"])
                case 7: try list("subject,uid,expires\nc,\(card),203\(index % 5)-01-31\n")
                default: try list("subject,uid,action\nc,\(card),remove\n")
                }
            }
            try fixture.enrol("always \(round)")
            #expect(try authority.database.publishedSum(site: "north") != nil, "not everybody has to be looked at")
            let published = try authority.publish(now: now)
            #expect(published.state.version == Int64(round) + 3)
            try expectPublished(version: round + 3)
        }
        _ = try fixture.check()
    }

    private func zoneSums() throws -> ZoneSums {
        var sums = ZoneSums(site: "north")
        try authority.forEachPerson { sums.add($0, StateElement($0)) }
        return sums
    }

    /// The headers of all changes that are offered, by the version from which they lead on.
    private func headers() throws -> [UInt64: BundleHeader] {
        let metadata = try #require(try authority.signed(.people))
        let state = try #require(SignedState(json: metadata[SignedState.member]))
        var headers: [UInt64: BundleHeader] = [:]
        for file in try #require(metadata["targets"]?.object).compactMap({ SignedPart.File($0.key, $0.value) }) where file.path != "people/full" {
            let from = try #require(UInt64(file.path.dropFirst("people/since-".count)))
            headers[from] = try fixture.read(file, state, having: from).header
        }
        return headers
    }

    /// For gates that keep their own zones only: whatever zones these are, and whatever version they have had since, they can check what they come to.
    @Test(arguments: UInt64(0)..<3) func changesSayWhatZonesComeTo(_ seed: UInt64) throws {
        var dice = SeededNumbers(seed: seed)
        let keys = try (0..<12).map { _ in try phoneKey() }
        let places = [[], ["tapstile:north"], ["tapstile:north/a"], ["tapstile:north/b/east"], ["tapstile:north/c", "tapstile:north/a/west"]]
        for key in keys { try fixture.enrol("s", key, places.randomElement(using: &dice) ?? []) }
        // Whose key nobody else is given.
        try fixture.enrol("kept", nil, ["tapstile:north/a"])
        _ = try authority.publish(now: now)
        var history = [1: ZoneSums(site: "north"), UInt64(2): try zoneSums()]
        for version in 3..<24 as Range<UInt64> {
            for _ in 0..<Int.random(in: 1...2, using: &dice) {
                let key = try #require(keys.randomElement(using: &dice))
                try fixture.enrol("s \(version)", key, places.randomElement(using: &dice) ?? [])
            }
            if version == 9 { _ = try authority.suspend(subject: "kept", now: now) }
            if version == 12 { try rules(["m"]) }
            _ = try authority.publish(now: now)
            let now = try zoneSums()
            history[version] = now
            for (from, header) in try headers() {
                let digests = try #require(header.zones)
                #expect(digests == now.digests(of: Set(digests.keys)))
                for had in from..<version { #expect(try now.agree(with: digests, before: #require(history[had])), "\(from), \(had), \(version)") }
            }
        }
        try fixture.enrol("one more", nil, ["tapstile:north/b"])
        _ = try authority.publish(now: now)
        #expect(try headers()[23]?.zones.map { Set($0.keys) } == ["b"], "of what is as it was nothing is said")
    }

    @Test func whatAnOlderProgramPublishedIsSummedUpByZone() throws {
        try fixture.enrol("a", nil, ["tapstile:north/a"])
        _ = try authority.publish(now: now)
        try authority.database.connection.execute("UPDATE people_sum SET has_zones = NULL")
        try authority.database.connection.execute("DELETE FROM people_zone")
        try fixture.enrol("b", nil, ["tapstile:north/b"])
        _ = try authority.publish(now: now)
        #expect(try headers()[2]?.zones == zoneSums().digests(of: ["a", "b"]))
        try expectPublished(version: 3)
    }

    /// Changes to very many zones say nothing of zones; of still more zones no sums are kept.
    @Test func ofTooManyZonesNothingIsSaid() throws {
        let key = try phoneKey()
        func enrol(_ zones: Range<Int>) throws {
            for first in stride(from: zones.lowerBound, to: zones.upperBound, by: 8) {
                try fixture.enrol("s", nil, (first..<min(first + 8, zones.upperBound)).map { "tapstile:north/z\($0)" })
            }
            try fixture.enrol("s \(zones)", key, ["tapstile:north/a"])
            _ = try authority.publish(now: now)
        }
        try enrol(0..<1)
        try enrol(1..<300)
        #expect(try headers()[2].map { $0.zones == nil } ?? true)
        try enrol(300..<301)
        #expect(try headers()[3]?.zones.map { Set($0.keys) } == ["a", "z300"])
        try enrol(301..<1100)
        try enrol(1100..<1101)
        #expect(try headers()[5].map { $0.zones == nil } ?? false)
        #expect(try authority.database.publishedSum(site: "north")?.zones == nil)
    }

    /// What the site takes back itself, and its words, are in the part that keys offline sign.
    @Test func whatTheSiteDecidesItselfIsInItsPart() throws {
        let key = try phoneKey()
        try fixture.enrol("eve", key)
        try fixture.scratch.write("rules.toml", Array("""
            [[revocation]]
            subject = "eve"
            [[revocation]]
            issued = "north-issuer:0102"
            [[message]]
            reason = "granted"
            language = "de"
            text = "Bitte"
            """.utf8))
        _ = try authority.applyRules(at: fixture.scratch.path("rules.toml"), now: now)
        _ = try authority.publish(now: now)
        let data = try #require(try authority.database.siteData()?.bytes)
        var reader = BundleReader(expecting: BundleExpectation(site: "north", epoch: 1))
        let records = try reader.feed(data).compactMap { if case .put(let record) = $0 { record } else { nil } }
        _ = try reader.finish()
        let word = try #require(SiteMessage(language: "de", name: "granted", text: "Bitte"))
        for record in [.revocation(.subject("eve")), .revocation(.issued(issuer: "north-issuer", cti: [1, 2])), .message(word)] as [PublicationRecord] {
            #expect(records.contains(record))
        }
        #expect(try fixture.people().records.values.contains { if case .revocation = $0 { true } else { false } } == false)
        _ = try fixture.check()
        // Nothing of it would open.
        #expect(throws: AuthorityError.subjectRevoked("eve")) { try fixture.enrol("eve") }
        // The next file takes the place of the one before.
        try fixture.scratch.write("rules.toml", [])
        _ = try authority.applyRules(at: fixture.scratch.path("rules.toml"), now: now)
        _ = try authority.publish(now: now)
        #expect(try authority.database.siteData()?.bytes.count ?? 0 < data.count)
    }

    @Test func withoutChangesOnlyTheTimestampIsNew() throws {
        let published = try authority.publish(now: now + 60)
        #expect(published.changed == [.timestamp] && published.state.version == 1 && published.bytes < 500)
        #expect(try fixture.check(at: now + 60).versions == [.root: 1, .targets: 1, .people: 1, .snapshot: 1, .timestamp: 2])
    }

    @Test func theFileWithEverybodyStaysWhereOnlyChangesAreWanted() throws {
        for number in 0..<60 { try fixture.enrol("p\(number)") }
        #expect(try authority.publish(now: now).isFull)
        let full = try #require(try authority.database.fullOfPeople())
        for number in 0..<60 { try fixture.enrol("q\(number)") }
        #expect(try authority.publish(isRehearsal: true, now: now).isFull, "it would be made anew")
        let published = try authority.publish(onlyChanges: true, now: now)
        #expect(!published.isFull && published.changes == 60)
        #expect(try authority.database.fullOfPeople()?.file.hash == full.file.hash)
        try expectPublished(version: 3)
        _ = try fixture.check()
        try fixture.scratch.remove("repo/targets/\(full.file.fileName)")
        try fixture.enrol("r")
        #expect(throws: AuthorityError.repository(.wholeNeeded)) { try authority.publish(onlyChanges: true, now: now) }
        #expect(try authority.publish(now: now).isFull)
    }

    @Test func aRehearsalWritesNothing() throws {
        try fixture.enrol("anna")
        let before = try Set(["metadata", "targets/people", "targets/site"].flatMap { try fixture.scratch.names("repo/\($0)") })
        let timestamp = try fixture.scratch.bytes("repo/metadata/timestamp.json")
        let published = try authority.publish(isRehearsal: true, now: now)
        #expect(published.changes == 1 && published.state.version == 2)
        #expect(try Set(["metadata", "targets/people", "targets/site"].flatMap { try fixture.scratch.names("repo/\($0)") }) == before)
        #expect(try fixture.scratch.bytes("repo/metadata/timestamp.json") == timestamp)
        #expect(try authority.publish(now: now).changes == 1)
    }

    /// An interruption at any write leaves what was before, or what comes; the next command finishes it.
    @Test func anInterruptionAtAnyWriteLeavesOldOrNew() throws {
        var interruptions = 0
        for place in 1... {
            try fixture.enrol("person \(place)")
            if place % 3 == 0 { _ = try authority.makeGates(name: "gates \(place)", now: now) }
            let before = try #require(try fixture.check().state?.version)
            var left = place
            authority.beforeWriting = RepositoryFolder.Interruption { () throws(AuthorityError) in
                left -= 1
                if left == 0 { throw .noRules }
            }
            let wasInterrupted: Bool
            do throws(AuthorityError) {
                _ = try authority.publish(now: now)
                wasInterrupted = false
            } catch {
                wasInterrupted = error == .noRules
            }
            authority.beforeWriting = RepositoryFolder.Interruption()
            let after = try #require(try fixture.check().state?.version)
            #expect(after == before || after == before + 1)
            _ = try authority.publish(now: now)
            #expect(try #require(try fixture.check().state?.version) > before)
            guard wasInterrupted else { break }
            interruptions += 1
        }
        #expect(interruptions >= 5)
    }

    /// The office's machine broke, and what was backed up is older than what gates have.
    @Test func aRestoredAuthorityGoesOnAboveWhatIsPublished() throws {
        try fixture.enrol("anna")
        _ = try authority.publish(now: now)
        let old = try fixture.scratch.bytes("repo/metadata/timestamp.json")
        let tables = ["people_state", "metadata", "people_bundle", "enrolled", "gone", "role_key", "site_data", "gate_key"]
        for table in tables { try authority.database.connection.execute("CREATE TABLE old_\(table) AS SELECT * FROM \(table)") }
        try fixture.enrol("ben")
        _ = try authority.makeGates(name: "later", now: now)
        _ = try authority.publish(now: now + 60)
        _ = try authority.rotate(.people, Authority.Rotation(), now: now + 60)
        _ = try authority.rotate(.timestamp, Authority.Rotation(), now: now + 60)
        for table in tables { try authority.database.connection.execute("DELETE FROM \(table); INSERT INTO \(table) SELECT * FROM old_\(table)") }
        #expect(try fixture.scratch.bytes("repo/metadata/timestamp.json") != old)
        #expect(try authority.database.peopleVersion() == 2)
        try fixture.enrol("carl")
        let published = try authority.publish(restored: .office, now: now + 120)
        #expect(published.warnings == [.repositoryAhead(.root), .repositoryAhead(.targets), .repositoryAhead(.people), .repositoryAhead(.snapshot)])
        #expect(published.state.version == 4 && published.isFull)
        try expectPublished(version: 4)
        let found = try fixture.check(at: now + 120)
        #expect(found.versions[.root] == 2 && found.versions[.targets] == 4, "the gates that it forgot are gone, and targets say so")
        #expect(found.versions[.timestamp] == 6 && found.versions[.people] == 5 && found.targets.keys.sorted() == ["people/full", "site/data"])
        #expect(try authority.signed(.targets)?.keys(of: .people).identifiers.count == 2)
    }

    @Test func nobodyIsGivenMoreThanTheCeilingAllows() throws {
        #expect(throws: AuthorityError.repository(.ceiling(subject: "anna", .uidOnlyCards))) {
            try authority.enrol(card: [4, 1, 2, 3, 4, 5, 6], subject: "anna", now: now)
        }
        #expect(try authority.publish(now: now).changes == nil)
    }

    /// Nobody can enrol it with less, and the site could never publish again.
    @Test func aLostKeyAboveTheCeilingHoldsNothingUp() throws {
        let key = try phoneKey()
        try fixture.enrol("ben", key)
        _ = try authority.publish(now: now)
        _ = try authority.lose(phonesOf: "ben", now: now)
        _ = try authority.publish(now: now)
        #expect(try fixture.people().records.values.contains { $0.subject == "ben" }, "gates can say that it was revoked")
        try fixture.scratch.write("rules.toml", Array("[people]\nlongest-days = 30\n".utf8))
        _ = try authority.applyRules(at: fixture.scratch.path("rules.toml"), now: now)
        _ = try authority.publish(now: now)
        try expectPublished(version: 4)
        #expect(try fixture.people().records.values.contains(.revocation(.key(thumbprint: key.thumbprint))))
        #expect(try !fixture.people().records.values.contains { $0.subject == "ben" }, "the whole list goes out, without the lost key")
    }

    /// What the rules say is signed by targets, and holds people down from then on.
    @Test func theRulesSayWhatTheCeilingIs() throws {
        func apply(_ text: String) throws {
            try fixture.scratch.write("rules.toml", Array(text.utf8))
            _ = try authority.applyRules(at: fixture.scratch.path("rules.toml"), now: now)
        }
        try apply("[people]\nuid-only-cards = true\ncommands = [\"tokn\", \"hold\"]\nplaces = [\"tapstile:north/hall\"]\nlongest-days = 30\ngroups = [\"staff\"]")
        let ceiling = Ceiling(commands: ["tokn", "hold"], audiences: ["tapstile:north/hall"], groups: ["staff"], longest: 30 * 86_400,
                              uidOnlyCards: true, userVerification: true)
        #expect(try authority.ceiling() == ceiling)
        #expect(authority.judge(try authority.draft(.targets, now: now)).lines.contains("+ \(ceiling.shownLine)"))
        let rights = Rights(audiences: ["tapstile:north/hall"], expiresAt: now + 86_400)
        _ = try authority.enrol(card: [4, 1, 2, 3, 4, 5, 6], subject: "anna", rights: rights, now: now)
        #expect(try authority.publish(now: now).versions[.targets] == 2)
        try expectPublished(version: 2)
        #expect(throws: AuthorityError.repository(.ceiling(subject: "ben", .wholeSite))) { try fixture.enrol("ben") }
        // With a lower ceiling than what people have they have it no more.
        try apply("")
        #expect(try authority.ceiling() == .standard)
        #expect(try authority.publish(now: now).isHeldBack)
        #expect(try fixture.people().records.isEmpty)
    }

    /// Anna's right had no end; it has one, and the site allows no other. The file with everybody still had her as she was, and no gate took it.
    @Test(arguments: [true, false]) func aLowerCeilingMakesTheFileWithEverybodyAnew(isRenewedFirst: Bool) throws {
        let key = try phoneKey()
        try fixture.enrol("anna", key)
        _ = try authority.beginEpoch(now: now)
        _ = try authority.enrol(EnrolmentRequest(key: key, use: .sign, subject: "anna", rights: Rights(expiresAt: now + 300 * 86_400)), now: now)
        if isRenewedFirst { #expect(try authority.publish(now: now).isFull == false) }
        try fixture.scratch.write("rules.toml", Array("[people]\nlongest-days = 400".utf8))
        _ = try authority.applyRules(at: fixture.scratch.path("rules.toml"), now: now)
        #expect(try authority.publish(now: now).isFull)
        _ = try fixture.check()
    }

    @Test func aNewEpochBeginsWithEverybody() throws {
        try fixture.enrol("anna")
        _ = try authority.publish(now: now)
        let published = try #require(try authority.beginEpoch(now: now))
        #expect(published.state.epoch == 2 && published.isFull)
        #expect(try fixture.people().state.epoch == 2)
        #expect(try fixture.check().targets.keys.sorted() == ["people/full", "site/data"] )
        try fixture.enrol("ben")
        #expect(try authority.publish(now: now).isFull == false)
    }

    @Test func aLostFolderIsMadeAnew() throws {
        try fixture.enrol("anna")
        _ = try authority.publish(now: now)
        try fixture.scratch.remove("repo")
        _ = try authority.publish(now: now)
        #expect(try fixture.check().state?.version == 3)
        try expectPublished(version: 3)
    }

    @Test func oldFilesGoWhenNobodyLoadsThemAnyMore() throws {
        for number in 0..<4 {
            try fixture.enrol("person \(number)")
            _ = try authority.publish(now: now)
        }
        #expect(try fixture.scratch.names("repo/metadata").contains("1.snapshot.json"))
        // The files have the time of the test's machine.
        _ = try authority.publish(now: 4_000_000_000)
        let names = try fixture.scratch.names("repo/metadata")
        #expect(!names.contains("1.snapshot.json") && names.contains("1.root.json") && names.contains("timestamp.json"))
    }
}
