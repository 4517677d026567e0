import Authority
import Foundation
import Testing

/// `--out` wrote over private keys and the database, and ended with 0.
@Suite("Nothing is written over a key")
struct OutputPlaceTests {
    private let scratch: ScratchFolder
    private let authority: Authority

    init() throws {
        scratch = try ScratchFolder()
        authority = try makeAuthority(in: scratch)
        var plan = RepositoryPlan(path: scratch.path("repo"))
        plan.isTogether = true
        _ = try authority.makeRepository(plan, now: now)
        _ = try authority.makeGates(name: "main", now: now)
    }

    @Test(arguments: [
        "gate-issuer.key", "gate-issuer.pub", "issuer.key", "authority.db", "authority.db-wal", "authority.lock", "gates.phone", "roles/root-1.key",
        "gates/main/gate-signing.key"
    ])
    func noFileOfAnOfficeIsWrittenOver(name: String) throws {
        let path = scratch.path("site/\(name)"), before = try scratch.bytes("site/\(name)")
        #expect(throws: AuthorityError.keptFile(path: path)) { try Authority.write([1], to: path) }
        #expect(try scratch.bytes("site/\(name)") == before)
    }

    /// SQLite would read them as its own.
    @Test(arguments: ["authority.db-journal", "issuer-2.key", "roles/people-2.key", "ceremony.json", "tokens"])
    func norAreTheNamesTakenThatItWillWant(name: String) throws {
        let path = scratch.path("site/\(name)")
        #expect(throws: AuthorityError.keptFile(path: path)) { try Authority.write([1], to: path) }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    /// Far from any office: a key, what it has signed, somebody's own database, a key of TLS, and a link to one of them.
    @Test func aKeyIsWrittenOverNowhere() throws {
        _ = try Authority.makeRoleKey(.root, at: scratch.path("alice.key"))
        try scratch.write("alice.key.signed", Array("{\"tapstile-signing-record\":1,\"signed\":[]}".utf8))
        try scratch.write("tls.pem", Array("# of the web server\n-----BEGIN EC PRIVATE KEY-----\nMA==\n".utf8))
        try FileManager.default.copyItem(atPath: scratch.path("site/authority.db"), toPath: scratch.path("backup"))
        try FileManager.default.createSymbolicLink(atPath: scratch.path("link"), withDestinationPath: scratch.path("alice.key"))
        for name in ["alice.key", "alice.pub", "alice.key.signed", "tls.pem", "backup", "link"] {
            #expect(throws: AuthorityError.keptFile(path: scratch.path(name))) { try Authority.write([1], to: scratch.path(name)) }
        }
    }

    /// Signed by keys that are not here.
    @Test(arguments: ["1.root.json", "1.targets.json", "timestamp.json"])
    func norIsMetadata(name: String) throws {
        let path = scratch.path("repo/metadata/\(name)"), before = try scratch.bytes("repo/metadata/\(name)")
        #expect(throws: AuthorityError.keptFile(path: path)) { try Authority.write([1], to: path) }
        #expect(try scratch.bytes("repo/metadata/\(name)") == before)
    }

    @Test(arguments: ["site", "people"])
    func norIsATarget(folder: String) throws {
        let name = try #require(scratch.names("repo/targets/\(folder)").first), path = scratch.path("repo/targets/\(folder)/\(name)")
        let before = try scratch.bytes("repo/targets/\(folder)/\(name)")
        #expect(throws: AuthorityError.keptFile(path: path)) { try Authority.write([1], to: path) }
        #expect(try scratch.bytes("repo/targets/\(folder)/\(name)") == before)
    }

    @Test func whatWasWrittenForSomebodyIsWrittenAnew() throws {
        for name in ["site/north.site", "draft", "site/tokens.txt"] {
            try Authority.write([1], to: scratch.path(name))
            try Authority.write([2], to: scratch.path(name))
            #expect(try scratch.bytes(name) == [2])
        }
    }

    /// A web server gave out the keys, or a stick had them.
    @Test func whatEverybodyGetsLiesApartFromTheKeys() throws {
        try FileManager.default.createSymbolicLink(atPath: scratch.path("other"), withDestinationPath: scratch.path("site"))
        var plan = RepositoryPlan(path: "")
        (plan.isTogether, plan.isReplacement) = (true, true)
        for name in ["site", "site/repo", "site/roles/a/b", "", "other/repo", "repo/../site/x/"] {
            let path = scratch.path(name)
            plan.path = path
            #expect(throws: AuthorityError.repository(.insideOffice(path: path))) { try authority.makeRepository(plan, now: now) }
            #expect(throws: AuthorityError.repository(.insideOffice(path: path))) { try authority.publishStick(to: path, validSeconds: 60, now: now) }
            #expect(throws: AuthorityError.repository(.insideOffice(path: path))) { try authority.ceremony(at: path, CeremonyPlan(), now: now) }
        }
        #expect(!FileManager.default.fileExists(atPath: scratch.path("site/repo")))
        _ = try authority.publishStick(to: scratch.path("site-stick"), validSeconds: 60, now: now)
    }
}
