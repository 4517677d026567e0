import Authority
import Credentials
import Cryptography
import Encoding
import Foundation
import Testing

@Suite("The folder of an authority")
struct FolderTests {
    let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    @Test func initMakesKeysThatOnlyTheOwnerReads() throws {
        _ = try makeAuthority(in: scratch)
        #expect(try scratch.mode("site") == 0o700)
        for name in ["issuer.key", "gate-issuer.key", "authority.db", "authority.lock"] { #expect(try scratch.mode("site/\(name)") == 0o600) }
        for name in ["issuer.pub", "gate-issuer.pub"] { #expect(try scratch.mode("site/\(name)") == 0o644) }
        let gates = try KeyFile(parsing: scratch.bytes("site/gate-issuer.key"))
        #expect(gates.role == .gateIssuer && gates.signingKey != nil)
        #expect(try KeyFile(parsing: scratch.bytes("site/gate-issuer.pub")).publicKey == gates.publicKey)
        #expect(try KeyFile(parsing: scratch.bytes("site/gate-issuer.pub")).signingKey == nil)
        let issuer = try KeyFile(parsing: scratch.bytes("site/issuer.key"))
        #expect(issuer.role == .tokenIssuer && issuer.publicKey != gates.publicKey)
        #expect(try !scratch.names("site").contains { $0.hasPrefix("site.") })
    }

    @Test func aSecondInitLeavesTheKeysAlone() throws {
        _ = try makeAuthority(in: scratch)
        let key = try scratch.bytes("site/gate-issuer.key")
        #expect(throws: AuthorityError.alreadyThere(folder: scratch.path("site"))) {
            try Authority.make(inFolder: scratch.path("site"), site: "south", issuer: "south", now: now)
        }
        #expect(try scratch.bytes("site/gate-issuer.key") == key)
        #expect(try Authority(openingFolder: scratch.path("site")).site == "north")
    }

    /// A crash between the keys and the database.
    @Test func anInterruptedInitIsFinishedWithItsKeys() throws {
        let elsewhere = try ScratchFolder()
        _ = try makeAuthority(in: elsewhere)
        try scratch.makeFolder("site", mode: 0o700)
        for name in ["issuer.key", "gate-issuer.key"] {
            try scratch.write("site/\(name)", elsewhere.bytes("site/\(name)"))
            try scratch.setMode("site/\(name)", 0o600)
        }
        try scratch.write("site/authority.db", [])
        #expect(throws: AuthorityError.noAuthority(folder: scratch.path("site"))) {
            try Authority(openingFolder: scratch.path("site"))
        }
        _ = try makeAuthority(in: scratch)
        #expect(try gateIssuerKey(in: scratch) == gateIssuerKey(in: elsewhere))
    }

    /// Somebody made it with mkdir before.
    @Test func anEmptyFolderIsClosedByInit() throws {
        try scratch.makeFolder("site", mode: 0o777)
        _ = try makeAuthority(in: scratch)
        #expect(try scratch.mode("site") == 0o700)
    }

    /// Whoever may write there has laid keys of his own where `init` makes none because there are some.
    @Test(arguments: [0o777, 0o755, 0o750, 0o1777])
    func aFolderOfEverybodyWithSomethingInItIsNoOffice(mode: Int) throws {
        try scratch.makeFolder("site", mode: mode)
        try scratch.write("site/gate-issuer.key", [1])
        #expect(throws: AuthorityError.folderExposed(path: scratch.path("site"), .mode(UInt32(mode)))) { try makeAuthority(in: scratch) }
        #expect(try scratch.names("site") == ["gate-issuer.key"] && scratch.mode("site") == mode & 0o7777)
    }

    /// A copy by a tool that keeps no modes, or a chmod by mistake.
    @Test(arguments: [0o777, 0o755, 0o710])
    func everyCommandRefusesAnOfficeThatOthersMayEnter(mode: Int) throws {
        _ = try makeAuthority(in: scratch)
        try scratch.setMode("site", mode)
        #expect(throws: AuthorityError.folderExposed(path: scratch.path("site"), .mode(UInt32(mode)))) { try Authority(openingFolder: scratch.path("site")) }
        try scratch.setMode("site", 0o700)
        #expect(throws: Never.self) { try Authority(openingFolder: scratch.path("site")) }
    }

    @Test func aKeyThatOthersMayReadSignsNothing() throws {
        _ = try makeAuthority(in: scratch)
        for mode in [0o666, 0o644, 0o640, 0o620] {
            try scratch.setMode("site/issuer.key", mode)
            let authority = try Authority(openingFolder: scratch.path("site"))
            #expect(throws: AuthorityError.keyExposed(path: scratch.path("site/issuer.key"), .mode(UInt32(mode)))) { try issue(authority) }
        }
    }

    /// Only root can give a folder away, and only then is there something to refuse.
    @Test(.enabled(if: geteuid() == 0)) func theOfficeOfAnotherUserIsLeftToHim() throws {
        _ = try makeAuthority(in: scratch)
        try #require(chown(scratch.path("site/issuer.key"), 65_534, 65_534) == 0)
        let authority = try Authority(openingFolder: scratch.path("site"))
        #expect(throws: AuthorityError.keyExposed(path: scratch.path("site/issuer.key"), .owner(65_534))) { try issue(authority) }
        try scratch.makeFolder("empty", mode: 0o700)
        for folder in ["site", "empty"] { try #require(chown(scratch.path(folder), 65_534, 65_534) == 0) }
        #expect(throws: AuthorityError.folderExposed(path: scratch.path("site"), .owner(65_534))) { try Authority(openingFolder: scratch.path("site")) }
        #expect(throws: AuthorityError.folderExposed(path: scratch.path("empty"), .owner(65_534))) {
            try Authority.make(inFolder: scratch.path("empty"), site: "south", issuer: "south", now: now)
        }
    }

    @Test func aFolderWithoutAnAuthorityIsNamed() {
        #expect(throws: AuthorityError.noAuthority(folder: scratch.path("none"))) {
            try Authority(openingFolder: scratch.path("none"))
        }
    }

    @Test func twoAuthoritiesDoNotWorkOnOneFolder() throws {
        let first = try makeAuthority(in: scratch)
        #expect(throws: AuthorityError.inUse(folder: scratch.path("site"))) {
            try Authority(openingFolder: scratch.path("site"))
        }
        #expect(throws: AuthorityError.inUse(folder: scratch.path("site"))) { try makeAuthority(in: scratch) }
        withExtendedLifetime(first) {}
    }

    @Test func theFolderIsFreeWhenTheFirstHasEnded() throws {
        _ = try makeAuthority(in: scratch)
        #expect(throws: Never.self) { try Authority(openingFolder: scratch.path("site")) }
    }

    @Test(arguments: ["", "a/b", ".", "..", String(repeating: "x", count: 65)])
    func namesAreChecked(name: String) throws {
        #expect(throws: AuthorityError.badName(name)) {
            try Authority.make(inFolder: scratch.path("site"), site: name, issuer: "x", now: now)
        }
        #expect(throws: AuthorityError.badName(name)) {
            try Authority.make(inFolder: scratch.path("site"), site: "x", issuer: name, now: now)
        }
        let authority = try makeAuthority(in: scratch)
        #expect(throws: AuthorityError.badName(name)) { try authority.makeGates(name: name, now: now) }
    }

    /// Its name is a setting of each gate, which takes no such text.
    @Test(arguments: ["a b", "nörd", "a:b", "höf"])
    func aSiteThatNoGateCanBeConfiguredWithIsNotMade(name: String) throws {
        #expect(throws: AuthorityError.noGatesSite(name)) { try Authority.make(inFolder: scratch.path("site"), site: name, issuer: "x", now: now) }
        #expect(try scratch.names().isEmpty)
        #expect(try Authority.make(inFolder: scratch.path("site"), site: "North_1.b-c", issuer: "an issuer", now: now).site == "North_1.b-c")
    }

    @Test func eachGateKeyHasOneRoleAndPhonesGetItsCredential() throws {
        let authority = try makeAuthority(in: scratch)
        let main = try authority.makeGates(name: "main", now: now)
        let side = try authority.makeGates(name: "side", now: now)
        let signing = try KeyFile(parsing: scratch.bytes("site/gates/main/gate-signing.key"))
        let agreement = try KeyFile(parsing: scratch.bytes("site/gates/main/gate-agreement.key"))
        #expect(signing.role == .gateSigning && signing.signingKey != nil)
        #expect(agreement.role == .gateAgreement && agreement.agreementKey != nil)
        #expect(main.signing == GateCredential(site: "north", key: signing.publicKey))
        #expect(main.agreement == GateCredential(site: "north", key: agreement.publicKey))
        #expect(try scratch.mode("site/gates/main/gate-signing.key") == 0o600)
        #expect(try scratch.mode("site/gates/main") == 0o700)
        let known = try scratch.bytes("site/gates.phone")
        let credentials = main.signing.claims + main.agreement.claims + side.signing.claims + side.agreement.claims
        #expect(Array(known.prefix(credentials.count)) == credentials)
        #expect(try scratch.mode("site/gates.phone") == 0o644)
        #expect(try CBOR.decodeSequence(known).count == 5, "and the gate issuer")
    }

    @Test func gatesAreMadeOnce() throws {
        let authority = try makeAuthority(in: scratch)
        _ = try authority.makeGates(name: "main", now: now)
        let key = try scratch.bytes("site/gates/main/gate-signing.key")
        #expect(throws: AuthorityError.gatesThere(name: "main")) { try authority.makeGates(name: "main", now: now) }
        #expect(try scratch.bytes("site/gates/main/gate-signing.key") == key)
    }

    /// A crash between the database and the file for the phones.
    @Test func aSecondGateFixesTheFileForThePhones() throws {
        let authority = try makeAuthority(in: scratch)
        _ = try authority.makeGates(name: "main", now: now)
        let known = try scratch.bytes("site/gates.phone")
        try scratch.write("site/gates.phone", [])
        #expect(throws: AuthorityError.gatesThere(name: "main")) { try authority.makeGates(name: "main", now: now) }
        #expect(try scratch.bytes("site/gates.phone") == known)
    }

    @Test func whatTheDatabaseWritesBesideItselfIsPrivateToo() throws {
        let authority = try makeAuthority(in: scratch)
        _ = try authority.revoke(.subject("anna"), now: now)
        #expect(try scratch.names("site").contains("authority.db-wal"))
        #expect(try scratch.mode("site/authority.db-wal") == 0o600)
        withExtendedLifetime(authority) {}
    }

    @Test func aKeyOfAnotherRoleIsRefused() throws {
        _ = try makeAuthority(in: scratch)
        try scratch.write("site/issuer.key", scratch.bytes("site/gate-issuer.key"))
        let authority = try Authority(openingFolder: scratch.path("site"))
        let path = scratch.path("site/issuer.key")
        #expect(throws: AuthorityError.wrongRole(path: path, found: .gateIssuer, wanted: .tokenIssuer)) { try issue(authority) }
    }

    @Test func aPublicHalfSignsNothing() throws {
        _ = try makeAuthority(in: scratch)
        try scratch.write("site/issuer.key", scratch.bytes("site/issuer.pub"))
        let authority = try Authority(openingFolder: scratch.path("site"))
        #expect(throws: AuthorityError.keyFile(path: scratch.path("site/issuer.key"), .wrongHalf)) { try issue(authority) }
    }

    private func issue(_ authority: Authority) throws {
        _ = try authority.issue(TokenRequest(key: phoneKey(), use: .sign, subject: "anna", rights: Rights(expiresAt: now + 1)), now: now)
    }

    @Test func aDamagedDatabaseIsNamed() throws {
        _ = try makeAuthority(in: scratch)
        try scratch.write("site/authority.db", Array("not a database at all, but long enough to be looked at".utf8))
        #expect { try Authority(openingFolder: scratch.path("site")) } throws: {
            ($0 as? AuthorityError)?.code == "database-corrupt"
        }
    }
}
