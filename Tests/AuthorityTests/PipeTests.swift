import Foundation
import Testing

@testable import Authority

/// Where a command expected a file lay a pipe, and it waited for ever; a device, and it read for ever.
@Suite("No command waits for a pipe or reads a device") struct PipeTests {
    let fixture: RepositoryFixture
    var authority: Authority { fixture.authority }
    var scratch: ScratchFolder { fixture.scratch }

    init() throws { fixture = try RepositoryFixture() }

    private func makePipe(_ name: String) throws -> String {
        let path = scratch.path(name)
        if FileManager.default.fileExists(atPath: path) { try scratch.remove(name) }
        try #require(mkfifo(path, 0o600) == 0)
        return path
    }

    private func code(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return (error as? AuthorityError)?.code ?? "\(error)"
        }
    }

    @Test func whatPeopleNameIsAFile() throws {
        for path in [try makePipe("pipe"), "/dev/zero"] {
            let commands: [() throws -> Void] = [
                { _ = try authority.enrol(listAt: path, now: now) }, { _ = try authority.importPeople(at: path, now: now) },
                { _ = try Authority.draft(at: path) }, { _ = try Authority.phoneKey(at: path) },
                { _ = try Authority.roleKey(.root, at: path) }, { _ = try Authority.bytes(at: path) }, { _ = try Authority.evidence(at: path) },
                { _ = try authority.watch(statusAt: path, longestSeconds: 60, now: now) },
                { _ = try RepositoryCheck.run(scratch.path, rootAt: path, at: now) },
                { _ = try TimestampRefresh.run(repositoryAt: scratch.path, keysAt: [path], now: now) }
            ]
            for (number, command) in commands.enumerated() { #expect(code(command) == "not-a-file", "command \(number), \(path)") }
            #expect(code { _ = try authority.applyRules(at: path, now: now) } == "site-file-invalid")
            #expect(code { try Authority.write([1], to: path) } == "system-call-failed", "nothing takes the place of either")
        }
    }

    /// A pipe with the ending of a public key lies beside the key: `sign` looks there for names.
    @Test func norDoesWhoeverSignsWait() throws {
        let (root, _) = try fixture.makeWithCeremony()
        _ = try makePipe("stranger.pub")
        #expect(try fixture.sign(.root, root) == nil)
        try scratch.remove("a.key.signed")
        _ = try makePipe("a.key.signed")
        let draft = try authority.draft(.root, now: now)
        #expect(code { _ = try RepositoryFixture.sign(draft, root[0]) } == "not-a-file")
    }

    @Test(arguments: ["metadata/timestamp.json", "metadata/1.root.json", "metadata/1.people.json", "targets"])
    func whatLiesInARepositoryIsAFile(name: String) throws {
        try fixture.makeTogether()
        var place = name
        if name == "targets" { place = "targets/people/\(try #require(scratch.names("repo/targets/people").first))" }
        let path = try makePipe("repo/\(place)")
        let refused = AuthorityError.repository(.noFile(path: path))
        #expect(throws: refused) { try fixture.check() }
        try fixture.enrol("anna")
        #expect(throws: refused) { try authority.publish(now: now) }
        try scratch.remove("repo/\(place)")
        _ = try authority.publish(now: now)
        _ = try fixture.check()
    }
}
