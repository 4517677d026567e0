import Foundation
import Testing

@testable import Authority

/// Others could write into what was published, and keys that lay there were given out, and nobody was told.
@Suite("Who may write to a repository, and what lies in it that nobody published") struct RepositoryFaultTests {
    let fixture: RepositoryFixture
    var authority: Authority { fixture.authority }
    var scratch: ScratchFolder { fixture.scratch }

    init() throws { fixture = try RepositoryFixture() }

    @Test(arguments: ["", "/metadata", "/targets", "/targets/people"])
    func whereOthersMayWriteItIsNamedAtEveryPublication(name: String) throws {
        try fixture.makeTogether()
        #expect(try authority.publish(now: now).warnings.isEmpty)
        for mode in [0o775, 0o777] {
            try scratch.setMode("repo\(name)", mode)
            let told = try authority.publish(now: now)
            #expect(told.warnings == [.exposed(path: fixture.path + name, .mode(UInt32(mode)))] && told.needsSomebody)
        }
        let group = try #require(FileManager.default.attributesOfItem(atPath: fixture.path + name)[.groupOwnerAccountID] as? Int)
        authority.repositoryGroup = UInt32(group)
        #expect(try !authority.publish(now: now).warnings.isEmpty, "everybody is not that group")
        try scratch.setMode("repo\(name)", 0o775)
        #expect(try authority.publish(now: now).warnings.isEmpty, "the group was said")
        authority.repositoryGroup = UInt32(group) + 1
        #expect(try !authority.publish(now: now).warnings.isEmpty, "it is another group's")
    }

    @Test func noRepositoryBeginsWhereOthersMayWrite() throws {
        try scratch.makeFolder("repo", mode: 0o777)
        let exposed = AuthorityError.repository(.exposed(path: fixture.path, .mode(0o777)))
        #expect(throws: exposed) { try fixture.makeTogether() }
        var plan = CeremonyPlan()
        plan.repository = fixture.path
        #expect(throws: exposed) { try authority.ceremony(at: scratch.path("carried"), plan, now: now) }
        #expect(try scratch.names("repo").isEmpty)
        try scratch.setMode("repo", 0o755)
        try fixture.makeTogether()
    }

    @Test func keysThatEverybodyGetsAreNamedAtEveryPublication() throws {
        try fixture.makeTogether()
        try scratch.makeFolder("repo/.backup")
        try FileManager.default.copyItem(atPath: scratch.path("site/authority.db"), toPath: scratch.path("repo/.backup/office"))
        try FileManager.default.copyItem(atPath: scratch.path("site/gate-issuer.key"), toPath: scratch.path("repo/index.html"))
        try FileManager.default.copyItem(atPath: scratch.path("site/issuer.pub"), toPath: scratch.path("repo/issuer.pub"))
        try FileManager.default.createSymbolicLink(atPath: scratch.path("repo/way"), withDestinationPath: scratch.path("site/roles"))
        try FileManager.default.createSymbolicLink(atPath: scratch.path("repo/round"), withDestinationPath: fixture.path)
        let secrets = [".backup/office", "index.html", "way"].map { PublishedRepository.Warning.secret(path: "\(fixture.path)/\($0)") }
        for _ in 1...2 {
            let told = try authority.publish(now: now)
            #expect(told.warnings == secrets && told.needsSomebody)
        }
    }

    /// What counts for 45 days was what everybody got.
    @Test(arguments: ["repo", "repo/targets", "repo/stick", "other"])
    func noStickLiesInTheRepository(name: String) throws {
        try fixture.makeTogether()
        try FileManager.default.createSymbolicLink(atPath: scratch.path("other"), withDestinationPath: fixture.path)
        let path = scratch.path(name), before = try scratch.bytes("repo/metadata/timestamp.json")
        #expect(throws: AuthorityError.repository(.stickInRepository(path: path))) { try authority.publishStick(to: path, validSeconds: 60, now: now) }
        #expect(try scratch.bytes("repo/metadata/timestamp.json") == before)
    }

    /// Everybody who may read the folder may lock it.
    @Test func nobodyWaitsForEverForTheLock() throws {
        try fixture.makeTogether()
        let place = RepositoryFolder(path: fixture.path)
        let held = try place.locked()
        #expect(throws: AuthorityError.repository(.locked(path: fixture.path))) { try place.locked(tries: 2) }
        withExtendedLifetime(held) {}
    }

    @Test func whatOthersPutThereIsNamedAndStays() throws {
        try fixture.makeTogether()
        try scratch.write("repo/metadata/index.html", [1])
        let told = try authority.publish(now: now)
        #expect(told.warnings == [.stranger(path: fixture.path + "/metadata/index.html")] && !told.needsSomebody)
        #expect(try scratch.names("repo/metadata").contains("index.html"))
    }
}
