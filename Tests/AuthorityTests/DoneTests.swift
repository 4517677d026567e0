import Authority
import Credentials
import Testing

/// What somebody was told is done.
@Suite("What is done in an office")
struct DoneTests {
    let scratch: ScratchFolder
    let authority: Authority

    init() throws {
        scratch = try ScratchFolder()
        authority = try makeAuthority(in: scratch)
    }

    @Test func aRevocationIsThereOnce() throws {
        #expect(try authority.revoke(.subject("anna"), now: now))
        #expect(try !authority.revoke(.subject("anna"), now: now + 1))
        var listed: [(Revocation, Int64)] = []
        try authority.forEachRevocation { listed.append(($0, $1)) }
        #expect(listed.count == 1 && listed[0] == (.subject("anna"), now))
        #expect(throws: AuthorityError.badSubject) { try authority.revoke(.subject(""), now: now) }
    }

    /// What was said to be done is there for the next program, also without an orderly end.
    @Test func whatIsDoneIsDurable() throws {
        let other = try ScratchFolder()
        let running = try makeAuthority(in: other)
        #expect(try running.revoke(.subject("anna"), now: now))
        // The files as a crash leaves them, while the first is still at work.
        let copy = try ScratchFolder()
        try copy.makeFolder("site", mode: 0o700)
        for name in try other.names("site") { try copy.write("site/\(name)", other.bytes("site/\(name)")) }
        let next = try Authority(openingFolder: copy.path("site"))
        #expect(try !next.revoke(.subject("anna"), now: now))
        withExtendedLifetime(running) {}
    }
}
