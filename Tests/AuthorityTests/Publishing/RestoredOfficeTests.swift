import Credentials
import Cryptography
import SiteData
import Testing

@testable import Authority

/// The office's machine broke. What was backed up does not know whom the site has taken back since, and publishes every hour.
@Suite("A restored office")
struct RestoredOfficeTests {
    let fixture: RepositoryFixture
    let backup: Backup
    let ben: PublicKey

    var authority: Authority { fixture.authority }

    /// Ben has a phone, Carla a card, Dora belongs to a group: it is backed up like that.
    init() throws {
        fixture = try RepositoryFixture()
        try fixture.scratch.write("rules.toml", Array("[people]\nuid-only-cards = true\n".utf8))
        _ = try fixture.authority.applyRules(at: fixture.scratch.path("rules.toml"), now: now)
        try fixture.makeTogether()
        ben = try phoneKey()
        try fixture.enrol("ben", ben)
        try fixture.enrol("anna")
        _ = try fixture.authority.enrol(card: [4, 1, 2, 3, 4, 5, 6], subject: "carla", now: now)
        try fixture.scratch.write("list.csv", Array("subject,groups\ndora,staff\n".utf8))
        _ = try fixture.authority.importPeople(at: fixture.scratch.path("list.csv"), now: now)
        _ = try fixture.authority.publish(now: now)
        backup = try Backup(fixture.authority)
    }

    /// What an office has in its database.
    struct Backup {
        let authority: Authority
        let tables: [String]

        init(_ authority: Authority) throws {
            self.authority = authority
            let query = try authority.database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
            var tables: [String] = []
            while try query.next() { tables.append(query.text(0)) }
            query.reset()
            for table in tables { try authority.database.connection.execute("CREATE TABLE backup_\(table) AS SELECT * FROM \(table)") }
            self.tables = tables
        }

        func restore() throws {
            for table in tables { try authority.database.connection.execute("DELETE FROM \(table); INSERT INTO \(table) SELECT * FROM backup_\(table)") }
        }
    }

    /// Everything that can be taken back is.
    private func revoke() throws {
        _ = try authority.lose(phonesOf: "ben", now: now + 10)
        _ = try authority.suspend(subject: "anna", now: now + 10)
        try authority.remove(card: [4, 1, 2, 3, 4, 5, 6])
        _ = try authority.ban(subject: "mallory", now: now + 10)
        try fixture.scratch.write("list.csv", Array("subject,groups,action\ndora,staff,remove\n".utf8))
        _ = try authority.importPeople(at: fixture.scratch.path("list.csv"), now: now + 10)
        try fixture.enrol("erin")
        _ = try authority.publish(now: now + 10)
    }

    private func difference(at time: Int64 = now + 60, _ body: () throws -> Void) throws -> RestoredOffice {
        do {
            try body()
        } catch AuthorityError.repository(.restored(let office)) {
            return office
        }
        Issue.record("it was published")
        return RestoredOffice()
    }

    private func timestamp() throws -> [UInt8] { try fixture.scratch.bytes("repo/metadata/timestamp.json") }

    @Test func theTimerLetsNobodyInAgain() throws {
        try revoke()
        let published = try fixture.people().records, before = try timestamp()
        try backup.restore()
        for isRehearsal in [false, true, false] {
            let office = try difference { _ = try authority.publish(isRehearsal: isRehearsal, now: now + 60) }
            let key = "with the key \(Hex8.of(ben))"
            #expect(Set(office.letIn.lines) == [
                "'ben' \(key) (taken back)", "'anna' (suspended)", "'carla' with the card 04010203040506", "'mallory' (banned)",
                "'dora' in the group 'staff'"
            ])
            #expect(office.shutOut.lines.count == 1 && office.shutOut.lines[0].hasPrefix("'erin' with the key "))
            #expect(office.decisions.count == 0)
            #expect(try timestamp() == before)
        }
        // A draft, or new keys, would take from the folder what was signed since, and hide that it is ahead.
        #expect(try difference { _ = try authority.draft(.targets, now: now + 60) }.letIn.count == 5)
        #expect(try difference { _ = try authority.rotate(.people, Authority.Rotation(), now: now + 60) }.letIn.count == 5)
        #expect(try difference { _ = try authority.publishStick(to: fixture.scratch.path("stick"), validSeconds: 60, now: now + 60) }.letIn.count == 5)
        #expect(try timestamp() == before)
        // Whoever says that the repository counts has what was published, and nothing more is asked.
        _ = try authority.publish(restored: .repository, now: now + 120)
        #expect(try fixture.people().records == published)
        _ = try authority.publish(now: now + 180)
        #expect(try fixture.check(at: now + 180).state?.version ?? 0 > 2)
        #expect(throws: AuthorityError.keyRevoked(thumbprint: ben.thumbprint)) { try fixture.enrol("ben", ben) }
        try authority.resume(subject: "anna")
    }

    /// Whoever says which of the two counts, and looks first, sees who would be let in and shut out; and that is what is done.
    @Test(arguments: [RestoredOffice.Choice.office, .repository])
    func aRehearsalSaysAllThatWillBeDone(choice: RestoredOffice.Choice) throws {
        try revoke()
        try backup.restore()
        let office = try difference { _ = try authority.publish(now: now + 60) }
        let rehearsed = try authority.publish(isRehearsal: true, restored: choice, now: now + 60)
        #expect(rehearsed.restored == office && office.letIn.count == 5 && office.shutOut.count == 1)
        let done = try authority.publish(restored: choice, now: now + 60)
        #expect(rehearsed == done)
        let everybody = try fixture.people().records.count
        #expect(rehearsed.isFull && rehearsed.changes == everybody, "everybody is given anew")
        #expect(try authority.publish(isRehearsal: true, restored: choice, now: now + 120).restored == nil, "it is settled")
    }

    @Test func whoeverSaysThatTheOfficeCountsLetsThemIn() throws {
        let published = try fixture.people().records
        try revoke()
        try backup.restore()
        _ = try authority.publish(restored: .office, now: now + 60)
        #expect(try fixture.people().records == published)
        #expect(try fixture.people().state.version == 4)
        _ = try authority.publish(now: now + 120)
        _ = try fixture.check(at: now + 120)
    }

    /// What was done since the restoration is told too, and is decided with the rest.
    @Test func whatCameSinceIsDecidedWithTheRest() throws {
        try revoke()
        try backup.restore()
        try fixture.enrol("fred")
        let office = try difference { _ = try authority.publish(now: now + 60) }
        #expect(office.letIn.lines.contains { $0.hasPrefix("'fred' ") })
        #expect(office.message.contains("'fred'") && office.message.contains("--restored repository"))
    }

    @Test func whereNothingDiffersNobodyIsAsked() throws {
        for count in 1...3 { _ = try authority.publish(now: now + Int64(count) * 8 * 86_400) }
        try backup.restore()
        let published = try authority.publish(now: now + 25 * 86_400)
        #expect(published.warnings == [.repositoryAhead(.people), .repositoryAhead(.snapshot)])
        _ = try fixture.check(at: now + 25 * 86_400)
    }

    /// His tokens would be believed at every gate again.
    @Test func anIssuerThatWasThrownOutStaysOut() throws {
        _ = try authority.replaceIssuer(now: now + 10)
        _ = try authority.publish(now: now + 10)
        try backup.restore()
        let office = try difference { _ = try authority.publish(now: now + 60) }
        #expect(office.letIn.lines.count == 1 && office.letIn.lines[0].contains("token issuer 'north-issuer'"))
        #expect(throws: AuthorityError.repository(.issuerThrownOut("north-issuer"))) { try authority.publish(restored: .repository, now: now + 60) }
        _ = try authority.replaceIssuer(now: now + 60)
        _ = try authority.publish(restored: .repository, now: now + 60)
        // Whoever has a token of the one that was made since goes on, and nobody else gets its name.
        #expect(try Set(issuers()) == ["north-issuer-2", "north-issuer-3"] && authority.issuer == "north-issuer-3")
        _ = try authority.publish(now: now + 120)
        _ = try fixture.check(at: now + 120)
    }

    /// A newer number hid the targets that the backup does not know.
    @Test func aStrangersTargetsHideNoIssuerThatWasThrownOut() throws {
        _ = try authority.replaceIssuer(now: now + 10)
        _ = try authority.publish(now: now + 20)
        try backup.restore()
        try fixture.scratch.write("repo/metadata/77.targets.json", Array("{}".utf8))
        #expect { try authority.publish(now: now + 60) } throws: { ($0 as? AuthorityError)?.code == "office-restored" }
    }

    private func issuers() throws -> [String] { SiteContents.issuers(in: try #require(try authority.database.siteData()).bytes, site: "north") }

    /// The issuer was changed in time, and everybody has its tokens by now.
    @Test(arguments: [true, false]) func anIssuerThatWasMadeSinceIsNotThrownOut(hasKey: Bool) throws {
        _ = try authority.rotateIssuer(now: now + 10)
        _ = try authority.publish(now: now + 10)
        _ = try authority.useNewIssuer(now: now + 20)
        let key = try authority.issuers()[1].key
        try backup.restore()
        // The folder was restored, too, or nothing but the database.
        if !hasKey { for name in ["issuer-2.key", "issuer-2.pub"] { try fixture.scratch.remove("site/\(name)") } }
        let office = try difference { _ = try authority.publish(now: now + 60) }
        #expect(office.shutOut.lines.count == 1 && office.shutOut.lines[0].contains("whoever has a token of token issuer 'north-issuer-2'"))
        _ = try authority.publish(restored: .repository, now: now + 60)
        #expect(try Set(issuers()) == ["north-issuer", "north-issuer-2"])
        #expect(try authority.issuers().map(\.key).contains(key))
        _ = try authority.publish(now: now + 120)
        #expect(try Set(issuers()) == ["north-issuer", "north-issuer-2"])
        if hasKey {
            _ = try authority.useNewIssuer(now: now + 180)
        } else {
            #expect(throws: AuthorityError.noNewIssuer) { try authority.useNewIssuer(now: now + 180) }
            #expect(try authority.rotateIssuer(now: now + 180).issuer == "north-issuer-3")
            _ = try authority.publish(now: now + 180)
            _ = try authority.useNewIssuer(now: now + 240)
        }
        // What was signed since by the old ones is known to nobody here.
        #expect(throws: AuthorityError.repository(.tokensUnknown("north-issuer"))) { try authority.dropOldIssuers(now: now + 300) }
        #expect(try authority.dropOldIssuers(anyway: true, now: now + 300) == (hasKey ? 1 : 2))
    }

    /// Gates tell issuers apart by name: with another key under it, every token of before would be void.
    @Test func noSecondIssuerGetsTheNameOfOneThatWasMadeSince() throws {
        _ = try authority.replaceIssuer(now: now + 10)
        _ = try authority.publish(now: now + 10)
        try backup.restore()
        for name in ["issuer-2.key", "issuer-2.pub"] { try fixture.scratch.remove("site/\(name)") }
        #expect(throws: AuthorityError.issuerThere("north-issuer-2")) { try authority.replaceIssuer(name: "north-issuer-2", now: now + 60) }
        #expect(try authority.replaceIssuer(now: now + 60).issuer == "north-issuer-3")
    }

    /// Its holders would sign him without a word: to their office he was never thrown out.
    @Test func aCeremonyBringsNoStolenIssuerBack() throws {
        _ = try authority.replaceIssuer(now: now + 10)
        _ = try authority.publish(now: now + 10)
        try backup.restore()
        for _ in 1...2 {
            let office = try difference { _ = try authority.ceremony(at: fixture.scratch.path("stick"), CeremonyPlan(), now: now + 60) }
            #expect(office.letIn.lines.count == 1 && office.letIn.lines[0].contains("token issuer 'north-issuer'"))
        }
        #expect(try difference { _ = try authority.publish(now: now + 60) }.letIn.count == 1, "nothing was taken from the folder that it could hide")
    }

    /// Its signatures were given before the backup, and the repository has had others since.
    @Test func whatWasSignedBeforeIsNotAcceptedAfterwards() throws {
        let draft = try authority.draft(.targets, now: now + 5)
        try revoke()
        try backup.restore()
        #expect(try difference { _ = try authority.accept(draft, [], now: now + 60) }.letIn.count == 5)
    }

    @Test func keysThatAreRefusedLeaveNothingBehind() throws {
        try revoke()
        try backup.restore()
        let before = try authority.roleKeys(), epoch = try authority.repository().epoch
        _ = try difference { _ = try authority.rotate(.people, Authority.Rotation(), now: now + 60) }
        _ = try difference { _ = try authority.beginEpoch(now: now + 60) }
        #expect(try authority.roleKeys() == before && authority.repository().epoch == epoch)
    }

    @Test func whatTheRulesTakeBackStaysTaken() throws {
        let rules = "[people]\nuid-only-cards = true\n[[revocation]]\nsubject = \"ben\"\n[[group]]\nname = \"staff\"\n[[rule]]\ngroup = \"staff\"\n"
        try fixture.scratch.write("rules.toml", Array(rules.utf8))
        _ = try authority.applyRules(at: fixture.scratch.path("rules.toml"), now: now + 10)
        _ = try authority.publish(now: now + 10)
        let signed = try authority.database.siteData()?.bytes
        try backup.restore()
        let office = try difference { _ = try authority.publish(now: now + 60) }
        #expect(office.letIn.lines == ["'ben' (banned), whom the rules take back"] && office.decisions.count == 1)
        _ = try authority.publish(restored: .repository, now: now + 60)
        #expect(try authority.database.siteData()?.bytes == signed)
        #expect(throws: AuthorityError.subjectRevoked("ben")) { try fixture.enrol("ben") }
    }

    /// Olga had a second phone, and its token was issued after the backup: nobody here can say that it was ended.
    @Test func aLostPhoneIsNotSaidToBeEndedWhereTokensAreUnknown() throws {
        _ = try authority.publish(now: now + 5)
        #expect(try authority.namesOfUnknownTokens() == [])
        try fixture.enrol("erin")
        _ = try authority.publish(now: now + 10)
        try backup.restore()
        #expect(try authority.namesOfUnknownTokens() == ["north-issuer"], "though nobody has published yet")
        _ = try authority.publish(restored: .repository, now: now + 60)
        #expect(try authority.namesOfUnknownTokens() == ["north-issuer"])
        _ = try authority.replaceIssuer(now: now + 120)
        #expect(try authority.namesOfUnknownTokens() == [], "their tokens are void")
    }

    /// What somebody has laid into the folder decides nothing.
    @Test func peopleThatNobodySignedAreNotTakenOver() throws {
        try revoke()
        let version = try fixture.authority.signed(.people)?.version ?? 0
        let path = "repo/metadata/\(version).people.json"
        let text = String(decoding: try fixture.scratch.bytes(path), as: UTF8.self)
        try backup.restore()
        try fixture.scratch.write(path, Array(text.replacing("\"sig\":\"", with: "\"sig\":\"00").utf8))
        let before = try fixture.people().records
        #expect(throws: AuthorityError.self) { try authority.publish(restored: .repository, now: now + 60) }
        #expect(try fixture.people().records == before)
    }
}

private enum Hex8 {
    static func of(_ key: PublicKey) -> String { key.thumbprint.prefix(8).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined() }
}
