import Credentials
import Cryptography
import Evidence
import Foundation
import SiteData
import Testing

@testable import Authority

/// A new token issuer, in time or in an emergency (S6).
@Suite("New token issuers") struct IssuerRotationTests {
    let fixture: RepositoryFixture
    var authority: Authority { fixture.authority }

    init() throws { fixture = try RepositoryFixture() }

    private func issue(until: Int64 = now + 500, at time: Int64 = now) throws -> Token {
        try authority.issue(TokenRequest(key: phoneKey(), use: .sign, subject: "anna", rights: Rights(expiresAt: until)), now: time)
    }

    /// The issuers that gates are told of now.
    private func knownIssuers() throws -> [TokenIssuer] {
        try fixture.published().compactMap { if case .issuer(let issuer) = $0 { issuer } else { nil } }
    }

    private func published() throws -> [String] { SiteContents.issuers(in: try #require(try authority.database.siteData()).bytes, site: "north") }

    @Test func bothAreBelievedUntilNobodyNeedsTheOldOne() throws {
        try fixture.makeTogether()
        let old = try issue()
        let made = try authority.rotateIssuer(now: now)
        #expect(made.issuer == "north-issuer-2" && made.safeFrom == now + 500 && made.tokens == 1)
        #expect(try issue().issuer == "north-issuer", "gates do not know the new one yet")
        #expect(throws: AuthorityError.issuerUnpublished("north-issuer-2")) { try authority.useNewIssuer(now: now) }
        #expect(throws: AuthorityError.issuersChanging) { try authority.rotateIssuer(now: now) }
        #expect(throws: AuthorityError.issuerUnused("north-issuer-2")) { try authority.dropOldIssuers(now: now + 1000) }
        _ = try authority.publish(now: now)
        #expect(try published() == ["north-issuer", "north-issuer-2"])

        _ = try authority.useNewIssuer(now: now)
        let new = try issue()
        #expect(new.issuer == "north-issuer-2")
        let keys = try authority.issuers()
        #expect(keys.map(\.isInUse) == [false, true] && keys.allSatisfy { $0.droppedAt == nil })
        #expect(old.isSigned(by: keys[0].key) && new.isSigned(by: keys[1].key) && !old.isSigned(by: keys[1].key))

        #expect(throws: AuthorityError.oldIssuerNeeded(until: now + 500)) { try authority.dropOldIssuers(now: now + 499) }
        #expect(try authority.dropOldIssuers(now: now + 500) == 1)
        #expect(try authority.dropOldIssuers(now: now + 500) == 0)
        _ = try authority.publish(now: now + 500)
        #expect(try published() == ["north-issuer-2"])
        #expect(throws: AuthorityError.noNewIssuer) { try authority.useNewIssuer(now: now) }
    }

    /// What was taken back opens nothing, so that nobody waits for its end.
    @Test func aRevokedTokenKeepsNoIssuer() throws {
        let old = try issue(until: now + 100_000)
        _ = try authority.rotateIssuer(now: now)
        _ = try knownIssuers()
        _ = try authority.useNewIssuer(now: now)
        #expect(throws: AuthorityError.oldIssuerNeeded(until: now + 100_000)) { try authority.dropOldIssuers(now: now) }
        _ = try authority.revoke(.token(old.identifier), now: now)
        #expect(try authority.dropOldIssuers(now: now) == 1)
    }

    @Test func inAnEmergencyTheOldOneIsGoneAtOnce() throws {
        let stolen = try issue(until: now + 100_000)
        let made = try authority.replaceIssuer(now: now)
        #expect(made.tokens == 1 && made.safeFrom == now + 100_000)
        let issuers = try knownIssuers()
        #expect(issuers.map(\.name) == ["north-issuer-2"])
        let fresh = try issue()
        #expect(fresh.isSigned(by: issuers[0].key) && !stolen.isSigned(by: issuers[0].key))
        // Tokens that are void hold up no later change.
        _ = try authority.rotateIssuer(now: now)
        _ = try knownIssuers()
        _ = try authority.useNewIssuer(now: now)
        #expect(throws: AuthorityError.oldIssuerNeeded(until: now + 500)) { try authority.dropOldIssuers(now: now) }
        #expect(try authority.dropOldIssuers(now: now + 500) == 1)
        #expect(try authority.issuers().map(\.droppedAt) == [now, now + 500, nil])
    }

    @Test func inAnEmergencyAChangeUnderWayEndsToo() throws {
        _ = try authority.rotateIssuer(now: now)
        #expect(try authority.replaceIssuer(now: now).issuer == "north-issuer-3")
        #expect(try knownIssuers().map(\.name) == ["north-issuer-3"])
    }

    @Test func aNameIsUsedOnce() throws {
        #expect(throws: AuthorityError.issuerThere("north-issuer")) { try authority.rotateIssuer(name: "north-issuer", now: now) }
        #expect(throws: AuthorityError.sharedIssuer("north-gates")) { try authority.rotateIssuer(name: "north-gates", now: now) }
        #expect(throws: AuthorityError.badName("a/b")) { try authority.rotateIssuer(name: "a/b", now: now) }
        #expect(try authority.replaceIssuer(name: "east", now: now).issuer == "east")
        #expect(throws: AuthorityError.issuerThere("north-issuer")) { try authority.rotateIssuer(name: "north-issuer", now: now) }
        let folder = try ScratchFolder()
        let long = try Authority.make(inFolder: folder.path("site"), site: "north", issuer: String(repeating: "é", count: 32), now: now)
        #expect(try long.rotateIssuer(now: now).issuer == String(repeating: "é", count: 31) + "-2")
    }

    /// What was granted by an issuer of then is proved by it still, and none of its keys lets anybody in.
    @Test func anOldIssuerIsRemembered() throws {
        let first = try #require(try authority.issuers().first?.key)
        _ = try authority.replaceIssuer(now: now)
        try fixture.scratch.remove("site/issuer.key")
        let evidence = EvidenceFile(previous: [UInt8](repeating: 0, count: 32), record: [0xA0], hash: [UInt8](repeating: 0, count: 32))
        let trust = try authority.evidenceTrust(for: evidence)
        #expect(trust.issuers.count == 2 && trust.issuers.contains(first))
        #expect(throws: AuthorityError.notAPersons(thumbprint: first.thumbprint)) { try fixture.enrol("mallory", first) }
        #expect(try fixture.scratch.mode("site/issuer-2.key") == 0o600)
    }

    @Test func theNextCommandGoesOnWithIt() throws {
        _ = try authority.replaceIssuer(now: now)
        #expect(try authority.issuer == "north-issuer-2" && issue().issuer == "north-issuer-2")
    }

    @Test func openedAgainItIsTheSame() throws {
        let folder = try ScratchFolder()
        do { _ = try makeAuthority(in: folder).replaceIssuer(now: now) }
        let again = try Authority(openingFolder: folder.path("site"))
        #expect(again.issuer == "north-issuer-2")
    }
}
