import Authority
import Credentials
import Cryptography
import Encoding
import Foundation
import Testing
import TrustSync

@Suite("Publications of an authority")
struct ExportTests {
    let scratch: ScratchFolder
    let authority: Authority

    init() throws {
        scratch = try ScratchFolder()
        authority = try makeAuthority(in: scratch)
    }

    private func export(_ name: String = "out", above: UInt64 = 0) throws -> ExportedPublication {
        try authority.export(to: scratch.path(name), validSeconds: 86400, above: above, now: now)
    }

    @Test func aGateReadsEverythingBack() throws {
        let gates = try authority.makeGates(name: "main", now: now)
        let key = try authority.enrol(EnrolmentRequest(
            key: phoneKey(), use: .sign, subject: "anna",
            rights: Rights(audiences: ["tapstile:north/hall"], scope: ["a", "b"], notBefore: 5, expiresAt: 6)), now: now).key
        let other = try authority.enrol(EnrolmentRequest(key: phoneKey(), use: .agree, subject: "ben"), now: now).key
        let token = try authority.issue(
            TokenRequest(key: phoneKey(), use: .sign, subject: "carl", rights: Rights(expiresAt: now + 1)), now: now)
        let revocations: [Revocation] = [
            .token(token.identifier), .issued(issuer: "north-issuer", cti: token.identifierClaim), .subject("carl"),
            .key(thumbprint: token.confirmationKey.thumbprint), .issued(issuer: "else:where", cti: [1])
        ]
        for revocation in revocations { #expect(try authority.revoke(revocation, now: now)) }

        let exported = try export()
        let (manifest, records) = try readPublication(scratch.bytes("out"), siteKey: siteKey(in: scratch))
        let issuer = TokenIssuer(name: "north-issuer", key: try KeyFile(parsing: scratch.bytes("site/issuer.pub")).publicKey)
        let gateIssuer = GateListEntry.issuer(GateIssuer(
            site: "north", name: "north-gates", key: try KeyFile(parsing: scratch.bytes("site/gate-issuer.pub")).publicKey)).encoded
        #expect(records == [
            .issuer(issuer), .gateCredential(gates.signing.claims), .gateCredential(gates.agreement.claims),
            .gateCredential(gateIssuer), .enrolled(key), .enrolled(other)
        ] + revocations.map(PublicationRecord.revocation))
        #expect(manifest.site == "north" && manifest.version == 1)
        #expect((manifest.issuedAt, manifest.expiresAt) == (now, now + 86400))
        #expect(exported.version == 1 && exported.counts == manifest.counts)
        #expect(try exported.byteCount == scratch.bytes("out").count)
        #expect(try scratch.mode("out") == 0o644)
    }

    @Test func versionsOnlyGoUp() throws {
        #expect(try export().version == 1)
        #expect(try export("other").version == 2)
        #expect(try export(above: 41).version == 42)
        #expect(try export(above: 7).version == 43)
        let first = try readPublication(scratch.bytes("other"), siteKey: siteKey(in: scratch)).manifest
        let last = try readPublication(scratch.bytes("out"), siteKey: siteKey(in: scratch),
                                       previous: .init(version: first.version, bodyHash: first.bodyHash)).manifest
        #expect(last.version == 43)
    }

    /// Whoever mistypes the floor can still export: gates never take anything below it again.
    @Test func aMistypedFloorLeavesVersionsToGoOnWith() throws {
        for floor in [Authority.highestFloor + 1, UInt64(Int64.max) - 1, UInt64.max] {
            #expect(throws: AuthorityError.publication(.malformedManifest)) { try export(above: floor) }
        }
        #expect(try export(above: Authority.highestFloor).version == Authority.highestFloor + 1)
        #expect(try export().version == Authority.highestFloor + 2)
        _ = try readPublication(scratch.bytes("out"), siteKey: siteKey(in: scratch))
    }

    @Test func aVersionIsTakenEvenIfNothingCouldBeWritten() throws {
        #expect(try export().version == 1)
        #expect { try export("none/out") } throws: { ($0 as? AuthorityError)?.code == "system-call-failed" }
        #expect(try export().version == 3)
    }

    @Test func versionsGoOnAfterTheProgramHasEnded() throws {
        let other = try ScratchFolder()
        try { _ = try makeAuthority(in: other).export(to: other.path("out"), validSeconds: 60, now: now) }()
        let again = try Authority(openingFolder: other.path("site"))
        #expect(try again.export(to: other.path("out"), validSeconds: 60, now: now).version == 2)
    }

    @Test func nothingIsLeftBesideThePublication() throws {
        _ = try export()
        #expect(try scratch.names() == ["site", "out"])
    }

    @Test func aLinkThatWasLaidBesideThePublicationLeadsNowhere() throws {
        try scratch.write("precious", [1, 2, 3])
        for name in ["out.new", "out.body"] { #expect(symlink(scratch.path("precious"), scratch.path(name)) == 0) }
        _ = try export()
        #expect(try scratch.bytes("precious") == [1, 2, 3] && scratch.names() == ["site", "out", "out.new", "out.body", "precious"])
    }

    @Test func timesMakeSense() throws {
        for seconds in [Int64.max, 0, -1] {
            #expect(throws: AuthorityError.badTimes) {
                try authority.export(to: scratch.path("out"), validSeconds: seconds, now: now)
            }
        }
        #expect(throws: AuthorityError.publication(.malformedManifest)) { try export(above: .max) }
        #expect(try export().version == 1)
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
