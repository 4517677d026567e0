import Configuration
import ControlProtocol
import Credentials
import Cryptography
import Encoding
import Foundation
import SiteData
import Storage
import Testing

@testable import Controller
@testable import Site
@testable import Tap

/// A gate without an authority goes by its site's own file.
@Suite("A gate that stands alone") struct SiteFileGateTests {
    let site: TestSite

    init() throws { site = try TestSite() }

    private func configure(lane: String = "") throws {
        try site.configure(lane: lane, source: "site-file = \"\(site.path("site.toml"))\"")
    }

    private func write(_ text: String) throws { try site.write(Array(text.utf8), "site.toml") }

    private func gate(_ text: String) throws -> Controller {
        try configure()
        try write(text)
        return try site.controller()
    }

    private func issuer(_ key: PublicKey) -> String {
        "[[issuer]]\nname = \"\(TestSite.name)\"\nkey = \"04\(Hex.encode(key.x))\(Hex.encode(key.y ?? []))\"\n"
    }

    private func trust(_ controller: Controller, _ member: String) -> JSON? { controller.status["trust"]?[member] }

    private func refusal(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return (error as? ControlError)?.code
        }
    }

    @Test func itGoesByTheFileFromTheStartAndByTheNextAfterAReload() throws {
        let controller = try gate(issuer(site.issuerKey.publicKey))
        #expect(trust(controller, "origin") == "site-file" && trust(controller, "version") == 1)
        let phone = try site.phone()
        _ = controller.present(phone, at: "entry")
        #expect(phone.reason == .granted)
        try write("[[revocation]]\nsubject = \"ada\"\n" + issuer(site.issuerKey.publicKey))
        _ = try controller.reload()
        #expect(trust(controller, "version") == 2)
        let again = try site.phone()
        _ = controller.present(again, at: "entry")
        #expect(again.reason == .revoked)
        let applied = try controller.records().filter { $0["kind"] == "trust" }
        #expect(applied.map { $0["detail"]?["origin"] } == ["site-file", "site-file"])
    }

    /// Whoever listens is told what the site has people be shown (A4).
    @Test func wordsOfTheSiteGoWithTheResult() throws {
        let word = { (reason: String, language: String, text: String) in
            "[[message]]\nreason = \"\(reason)\"\nlanguage = \"\(language)\"\ntext = \"\(text)\"\n"
        }
        try configure(lane: "cooldown-success-ms = 0\ncooldown-failure-ms = 0")
        try write(word("granted", "de", "Bitte eintreten") + word("granted", "en", "Welcome") + issuer(site.issuerKey.publicKey))
        let controller = try site.controller(), events = EventLog()
        controller.listen { events.add($0) }
        func shown() -> JSON? { events.all.last { $0.kind == .result }?.fields["shown"] }
        _ = controller.present(try site.phone(), at: "entry")
        #expect(shown() == ["de": "Bitte eintreten", "en": "Welcome"])
        try write("[[revocation]]\nsubject = \"ada\"\n" + word("granted", "de", "Bitte") + issuer(site.issuerKey.publicKey))
        _ = try controller.reload()
        _ = controller.present(try site.phone(), at: "entry")
        #expect(events.reasons == ["granted", "revoked"] && shown() == nil, "of this reason the site says nothing")
    }

    @Test func aFileWithMistakesKeepsWhatIsInUseAndTheConfigurationToo() throws {
        let controller = try gate(issuer(site.issuerKey.publicKey))
        try write("[[rule]]\ngroup = \"nobody\"\nlanes = [\"mian\"]")
        try configure(lane: "second-factor = \"always\"")
        #expect(refusal { _ = try controller.reload() } == "site-file-invalid")
        #expect(trust(controller, "version") == 1)
        #expect(trust(controller, "siteFile")?["code"] == "site-file-invalid")
        let phone = try site.phone()
        _ = controller.present(phone, at: "entry")
        #expect(phone.reason == .granted, "the lane wants no second factor either")
        try write(issuer(site.issuerKey.publicKey))
        _ = try controller.reload()
        #expect(trust(controller, "siteFile") == nil && trust(controller, "version") == 1)
    }

    @Test func itStartsWithAFileThatCannotBeUsed() throws {
        let controller = try gate("[[issuer")
        #expect(trust(controller, "state") == "absent")
        #expect(trust(controller, "siteFile")?["message"]?.string?.contains("tapstile check-site") ?? false)
        let phone = try site.phone()
        _ = controller.present(phone, at: "entry")
        #expect(phone.outcome?.result != .granted)
        try write(issuer(site.issuerKey.publicKey))
        _ = try controller.reload()
        #expect(trust(controller, "state") == "ready" && trust(controller, "siteFile") == nil)
    }

    @Test func nobodyImportsThere() throws {
        let controller = try gate("")
        #expect(refusal { try site.publish(to: controller) } == "gate-stand-alone")
        #expect(try controller.records().contains { $0["reason"] == "gate-stand-alone" })
    }

    @Test func whereSiteDataComeFromIsNotChangedByAReload() throws {
        let controller = try site.controller()
        try site.publish(to: controller)
        try configure()
        try write(issuer(site.issuerKey.publicKey))
        #expect(refusal { _ = try controller.reload() } == "restart-needed")
        #expect(trust(controller, "origin") == "repository")
        controller.stop()
        let restarted = try site.controller()
        #expect(trust(restarted, "state") == "absent")
        #expect(trust(restarted, "siteFile")?["code"] == "site-data-signed")
        let phone = try site.phone()
        _ = restarted.present(phone, at: "entry")
        #expect(phone.outcome?.result != .granted)
    }

    /// What an installer says today is not old because he said it long ago.
    @Test func itDoesNotAge() throws {
        let rules = TrustSettings(source: .siteFile("/etc/tapstile/site.toml"), warnAfterHours: 24, refuseAfterDays: 30, tokenCache: 0)
        #expect(rules.tokensRefusedAfter == .max)
        let controller = try gate(issuer(site.issuerKey.publicKey))
        let publication = try #require(controller.parts.trust.status.publication)
        #expect(SiteDataAge(of: publication, now: publication.issuedAt + 10 * 366 * 86400, rules) == .fresh)
        #expect(controller.parts.trust.status.clockFloor == 0)
    }
}
