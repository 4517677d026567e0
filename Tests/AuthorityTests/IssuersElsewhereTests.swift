import Credentials
import Cryptography
import Encoding
import Foundation
import SiteData
import Testing

@testable import Authority

/// A server that invites visitors has a key of its own, which the office never sees.
@Suite("Token issuers whose key is elsewhere") struct IssuersElsewhereTests {
    let fixture: RepositoryFixture
    var authority: Authority { fixture.authority }
    private static let entry = "[[issuer]]\nname = \"visitors\"\nplaces = [\"tapstile:north/hall\"]\n"

    init() throws { fixture = try RepositoryFixture() }

    /// The path of a public key, as the server's installer brings it.
    private func bring(_ name: String = "visitors.pub", _ role: KeyRole = .tokenIssuer) throws -> (path: String, key: PublicKey) {
        let file = try KeyFile(role: role, making: .sign)
        try fixture.scratch.write(name, try file.publicFile.text())
        return (fixture.scratch.path(name), file.publicKey)
    }

    private func applyRules(_ text: String) throws {
        try fixture.scratch.write("rules.toml", Array(text.utf8))
        _ = try authority.applyRules(at: fixture.scratch.path("rules.toml"), now: now)
    }

    private func publishedIssuers() throws -> [TokenIssuer] {
        try fixture.published().compactMap { if case .issuer(let issuer) = $0 { issuer } else { nil } }
    }

    private func error(_ body: () throws -> Void) -> AuthorityError? {
        do { try body() } catch { return error as? AuthorityError }
        return nil
    }

    @Test func itIsPublishedOnceTheRulesBindIt() throws {
        try fixture.makeTogether()
        let (path, key) = try bring()
        let added = try authority.addIssuer(name: "visitors", keyAt: path, queue: nil, now: now)
        #expect(added.key == key && added.isElsewhere && added.ceiling == nil && !added.isInUse)
        let published = try authority.publish(now: now)
        #expect(published.warnings.contains(.issuerWithoutCeiling("visitors")) && published.needsSomebody)
        #expect(try publishedIssuers().map(\.name) == ["north-issuer"])
        try applyRules(Self.entry)
        let ceiling = IssuerCeiling(audiences: ["tapstile:north/hall"])
        #expect(try publishedIssuers().map(\.ceiling) == [nil, ceiling] && publishedIssuers().map(\.name) == ["north-issuer", "visitors"])
        #expect(try authority.publish(now: now).warnings == [] && authority.issuers().last?.ceiling == ceiling)
        try applyRules("")
        #expect(try publishedIssuers().map(\.name) == ["north-issuer"], "without its entry it is left out again")
    }

    @Test func whoeverSignsSeesWhatItMaySay() throws {
        try fixture.makeTogether()
        _ = try authority.addIssuer(name: "visitors", keyAt: bring().path, queue: nil, now: now)
        try applyRules(Self.entry)
        let line = "token issuer 'visitors' with the key \(Hex.encode(try #require(authority.issuers().last).key.thumbprint)): at most the command 'tokn'; the place "
            + "'tapstile:north/hall'; at ALL times; tokens of up to 2 days; user verification no; without end"
        #expect(authority.judge(try authority.draft(.targets, now: now)).lines.contains("+ \(line)"))
        let next = try authority.rotateIssuer(name: "north-next", now: now).issuer
        #expect(authority.judge(try authority.draft(.targets, now: now)).lines.contains { $0.contains("'\(next)'") && $0.contains("NO ceiling") })
    }

    /// Of all that an owned office can do without the keys of targets, nothing lets an issuer say more.
    @Test func withoutTargetsNothingIsWidened() throws {
        let (root, targets) = try fixture.makeWithCeremony()
        _ = try authority.addIssuer(name: "visitors", keyAt: bring().path, queue: nil, now: now)
        try applyRules(Self.entry)
        try fixture.sign(.root, [root[0], root[1]])
        try fixture.sign(.targets, [targets])
        let before = try authority.database.siteData()?.bytes
        try applyRules(Self.entry.replacing("places = [\"tapstile:north/hall\"]", with: "user-verified = true\ncommands = [\"hold\"]"))
        let published = try authority.publish(now: now + 60)
        #expect(published.warnings.contains(.siteChanged))
        #expect(try authority.database.siteData()?.bytes == before, "gates have what was signed")
    }

    @Test func namesAndKeysHaveOneMeaning() throws {
        let (path, key) = try bring()
        _ = try authority.addIssuer(name: "visitors", keyAt: path, queue: nil, now: now)
        let other = try bring("other.pub").path
        #expect(error { _ = try authority.addIssuer(name: "visitors", keyAt: other, queue: nil, now: now) } == .issuerThere("visitors"))
        #expect(error { _ = try authority.addIssuer(name: "Visitors", keyAt: other, queue: nil, now: now) } == .issuerAlike("Visitors", other: "visitors"))
        #expect(error { _ = try authority.addIssuer(name: "vísitors", keyAt: other, queue: nil, now: now) } == .issuerAlike("vísitors", other: "visitors"))
        #expect(error { _ = try authority.addIssuer(name: "north-issuer", keyAt: other, queue: nil, now: now) } == .issuerThere("north-issuer"))
        #expect(error { _ = try authority.addIssuer(name: "north-gates", keyAt: other, queue: nil, now: now) } == .sharedIssuer("north-gates"))
        #expect(error { _ = try authority.addIssuer(name: "others", keyAt: path, queue: nil, now: now) } == .keyOfTwoRoles(path: path))
        #expect(error { _ = try authority.addIssuer(name: "a\u{200B}b", keyAt: other, queue: nil, now: now) }?.code == "name-forbidden")
        let site = try bring("site.pub", .site).path
        #expect(error { _ = try authority.addIssuer(name: "others", keyAt: site, queue: nil, now: now) } == .wrongRole(path: site, found: .site, wanted: .tokenIssuer))
        let secret = try KeyFile(role: .tokenIssuer, making: .sign)
        try fixture.scratch.write("secret.key", secret.text())
        try fixture.scratch.setMode("secret.key", 0o600)
        #expect(error { _ = try authority.addIssuer(name: "others", keyAt: fixture.scratch.path("secret.key"), queue: nil, now: now) }
                == .keyIsPrivate(path: fixture.scratch.path("secret.key")))
        #expect(try authority.issuers().map(\.key).last == key)
        // The same once more only moves the queue.
        #expect(try authority.addIssuer(name: "visitors", keyAt: path, queue: "/q", now: now).queue == "/q")
        #expect(try authority.issuers().count == 2)
    }

    /// What the office does with issuers of its own is no business of the others.
    @Test func itStaysWhenTheOfficesOwnChanges() throws {
        try fixture.makeTogether()
        _ = try authority.addIssuer(name: "visitors", keyAt: bring().path, queue: nil, now: now)
        try applyRules(Self.entry)
        _ = try publishedIssuers()
        _ = try authority.rotateIssuer(now: now)
        #expect(try publishedIssuers().map(\.name) == ["north-issuer", "north-issuer-3", "visitors"])
        _ = try authority.useNewIssuer(now: now)
        #expect(authority.issuer == "north-issuer-3")
        #expect(try authority.dropOldIssuers(now: now) == 1)
        #expect(try publishedIssuers().map(\.name) == ["north-issuer-3", "visitors"])
        _ = try authority.replaceIssuer(now: now)
        #expect(try publishedIssuers().map(\.name) == ["north-issuer-4", "visitors"])
        let token = try authority.issue(TokenRequest(key: phoneKey(), use: .sign, subject: "anna", rights: Rights(expiresAt: now + 9)), now: now)
        #expect(try token.isSigned(by: #require(publishedIssuers().first).key))
    }

    /// A rotation takes no bound away; one that is off was stolen, and the next was not.
    @Test func aNewIssuerOfTheOfficeIsBoundAsTheOneBefore() throws {
        try fixture.makeTogether()
        try applyRules("[[issuer]]\nname = \"north-issuer\"\nlongest-hours = 5\noff = true\n")
        #expect(try publishedIssuers().map(\.ceiling) == [IssuerCeiling(longest: 5 * 3600, isOff: true)])
        _ = try authority.replaceIssuer(now: now)
        #expect(try publishedIssuers().map(\.ceiling) == [IssuerCeiling(longest: 5 * 3600)])
        let request = TokenRequest(key: try phoneKey(), use: .sign, subject: "anna", rights: Rights(expiresAt: now + 6 * 3600))
        #expect(error { _ = try authority.issue(request, now: now) }?.code == "beyond-ceiling", "gates would refuse it")
        try applyRules("[[issuer]]\nname = \"north-issuer-2\"\nlongest-hours = 48\n")
        #expect(try publishedIssuers().map(\.ceiling) == [IssuerCeiling()])
    }

    @Test func oneThatIsRemovedIsGoneAndMayComeBack() throws {
        try fixture.makeTogether()
        let path = try bring().path
        _ = try authority.addIssuer(name: "visitors", keyAt: path, queue: nil, now: now)
        try applyRules(Self.entry)
        #expect(try publishedIssuers().count == 2)
        try authority.removeIssuer(name: "visitors", now: now)
        #expect(try publishedIssuers().map(\.name) == ["north-issuer"])
        #expect(error { try authority.removeIssuer(name: "visitors", now: now) } == .noIssuer("visitors", nearest: nil))
        #expect(error { try authority.removeIssuer(name: "north-issuer", now: now) } == .issuerIsOurs("north-issuer"))
        #expect(error { try applyRules(Self.entry) }?.code == "site-file-invalid", "the rules speak of nobody")
        _ = try authority.addIssuer(name: "visitors", keyAt: path, queue: nil, now: now)
        #expect(try publishedIssuers().count == 2)
    }

    /// Without the keys of targets, and at once.
    @Test func anIssuerIsSwitchedOffByPeople() throws {
        try fixture.makeTogether()
        _ = try authority.addIssuer(name: "visitors", keyAt: bring().path, queue: nil, now: now)
        try applyRules(Self.entry)
        _ = try authority.publish(now: now)
        let targets = try authority.signed(.targets)
        #expect(try authority.switchOff(issuer: "visitors", now: now) && !authority.switchOff(issuer: "visitors", now: now))
        #expect(try fixture.published().contains(.revocation(.issuer("visitors"))))
        #expect(try authority.signed(.targets) == targets && authority.issuers().map(\.isOff) == [false, true])
        try authority.switchOn(issuer: "visitors")
        #expect(try !fixture.published().contains(.revocation(.issuer("visitors"))))
        #expect(error { try authority.switchOn(issuer: "visitors") } == .issuerNotOff("visitors", byRules: false))
        #expect(error { _ = try authority.switchOff(issuer: "Visitors", now: now) } == .noIssuer("Visitors", nearest: "visitors"))
    }

    @Test func whatTheRulesSwitchedOffNoCommandSwitchesOn() throws {
        _ = try authority.addIssuer(name: "visitors", keyAt: bring().path, queue: nil, now: now)
        _ = try authority.switchOff(issuer: "visitors", now: now)
        for rules in [Self.entry + "off = true", "[[revocation]]\nissuer = \"visitors\""] {
            try applyRules(rules)
            #expect(error { try authority.switchOn(issuer: "visitors") } == .issuerNotOff("visitors", byRules: true))
            #expect(try authority.issuers().last?.isOff == true)
        }
    }

    @Test func rulesForNobodyAreRefused() throws {
        try fixture.scratch.write("rules.toml", Array(Self.entry.utf8))
        let path = fixture.scratch.path("rules.toml")
        #expect(error { _ = try authority.checkRules(at: path) }?.code == "site-file-invalid")
        #expect(error { _ = try Authority.checkRules(at: path) } == nil, "where nobody knows the issuers")
        _ = try authority.addIssuer(name: "visitors", keyAt: bring().path, queue: nil, now: now)
        #expect(error { _ = try authority.checkRules(at: path) } == nil)
    }
}
