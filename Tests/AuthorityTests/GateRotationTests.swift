import Credentials
import Cryptography
import Encoding
import SiteData
import Storage
import Testing

@testable import Authority

/// New keys for gates, in time and in an emergency.
@Suite("New keys for gates")
struct GateRotationTests {
    static let day: Int64 = 86400
    static let revocationKinds: [Int] = [1, 2, 3, 4]
    let scratch: ScratchFolder
    let authority: Authority

    init() throws {
        scratch = try ScratchFolder()
        authority = try makeAuthority(in: scratch)
    }

    private func list(_ path: String = "site/gates.phone") throws -> [GateListEntry] {
        try #require(GateListEntry.list(parsing: scratch.bytes(path)))
    }

    private func known() throws -> [PublicKey] {
        try list().compactMap { entry in
            switch entry {
            case .credential(let credential): credential.key.key
            case .issuer: nil
            }
        }
    }

    private func gateIssuer() throws -> GateIssuer {
        try #require(try list().lazy.compactMap { entry -> GateIssuer? in
            switch entry {
            case .credential: nil
            case .issuer(let issuer): issuer
            }
        }.first)
    }

    private func key(_ path: String) throws -> KeyFile { try KeyFile(parsing: scratch.bytes("site/gates/\(path)")) }

    private func issueToken(at time: Int64, until end: Int64) throws {
        _ = try authority.issue(TokenRequest(key: phoneKey(), use: .sign, subject: "anna", rights: Rights(expiresAt: end)), now: time)
    }

    @Test func newKeysLieBesideTheOldOnesAndPhonesGetBoth() throws {
        let old = try authority.makeGates(name: "main", now: now)
        let (new, _) = try authority.rotateGates(name: "main", now: now + 1)
        #expect((old.generation, new.generation) == (1, 2))
        #expect(new.folder == scratch.path("site/gates/main/2"))
        let signing = try key("main/2/gate-signing.key"), agreement = try key("main/2/gate-agreement.key")
        #expect(signing.role == .gateSigning && agreement.role == .gateAgreement)
        #expect(try scratch.mode("site/gates/main/2") == 0o700 && scratch.mode("site/gates/main/2/gate-signing.key") == 0o600)
        #expect(try known() == [old.signing.key, old.agreement.key, signing.publicKey, agreement.publicKey])
        #expect(Set(try known()).count == 4)
    }

    /// Who has forty gates needs one date for all of them.
    @Test func theSafeDateIsTheEndOfTheLastTokenFromBefore() throws {
        _ = try authority.makeGates(name: "main", now: now)
        try issueToken(at: now, until: now + 3 * Self.day)
        try issueToken(at: now + 5, until: now + 9 * Self.day)
        _ = try authority.enrol(EnrolmentRequest(key: phoneKey(), use: .sign, subject: "ben", rights: Rights(expiresAt: now + 8 * Self.day)),
                                now: now)
        _ = try authority.enrol(EnrolmentRequest(key: phoneKey(), use: .sign, subject: "carl"), now: now)
        let handover = try authority.rotateGates(name: "main", now: now + 5).handover
        #expect(handover.safeFrom == now + 9 * Self.day)
        #expect(handover.withoutEnd == 1, "carl's phone never comes for anything")
        #expect(handover.withoutIssuer == 0)
    }

    /// One token that was issued by mistake for years, and taken back at once, keeps nobody waiting.
    @Test(arguments: GateRotationTests.revocationKinds) func whatWasTakenBackKeepsNobodyWaiting(kind: Int) throws {
        _ = try authority.makeGates(name: "main", now: now)
        try issueToken(at: now, until: now + Self.day)
        let mistake = try authority.issue(
            TokenRequest(key: phoneKey(), use: .sign, subject: "eve", rights: Rights(expiresAt: now + 4000 * Self.day)), now: now)
        #expect(try authority.rotateGates(name: "main", now: now).handover.safeFrom == now + 4000 * Self.day)
        let revocation: Revocation = switch kind {
        case 1: .token(mistake.identifier)
        case 2: .issued(issuer: mistake.issuer, cti: mistake.identifierClaim)
        case 3: .subject("eve")
        default: .key(thumbprint: mistake.confirmationKey.thumbprint)
        }
        #expect(try authority.revoke(revocation, now: now))
        let handover = try authority.replaceGates(name: "main", validSeconds: nil, now: now + 1).handover
        #expect(handover.safeFrom == now + Self.day)
    }

    @Test func anEnrolledKeyWithAnEndCountsAndWithoutAnybodyItIsNow() throws {
        _ = try authority.makeGates(name: "main", now: now)
        #expect(try authority.rotateGates(name: "main", now: now).handover.safeFrom == now)
        _ = try authority.enrol(EnrolmentRequest(key: phoneKey(), use: .sign, subject: "ben", rights: Rights(expiresAt: now + Self.day)),
                                now: now)
        _ = try authority.makeGates(name: "side", now: now)
        #expect(try authority.rotateGates(name: "side", now: now).handover.safeFrom == now + Self.day)
    }

    /// One token issued for ten years by mistake, and taken back at once, holds up nothing.
    @Test func nobodyWaitsForWhatWasTakenBack() throws {
        _ = try authority.makeGates(name: "main", now: now)
        func token(_ subject: String) throws -> Token {
            try authority.issue(TokenRequest(key: phoneKey(), use: .sign, subject: subject, rights: Rights(expiresAt: now + 3650 * Self.day)),
                                now: now)
        }
        func enrol(_ subject: String) throws -> PublicKey {
            try authority.enrol(EnrolmentRequest(key: phoneKey(), use: .sign, subject: subject), now: now).key.key
        }
        let byNumber = try token("b")
        let revocations: [Revocation] = [
            .token(try token("a").identifier), .issued(issuer: byNumber.issuer, cti: byNumber.identifierClaim),
            .key(thumbprint: try token("c").confirmationKey.thumbprint), .key(thumbprint: try enrol("d").thumbprint), .subject("e")
        ]
        _ = try (token("e"), enrol("e"))
        for revocation in revocations.dropLast() { _ = try authority.revoke(revocation, now: now) }
        try issueToken(at: now, until: now + Self.day)
        let waiting = try authority.rotateGates(name: "main", now: now).handover
        #expect(waiting.safeFrom == now + 3650 * Self.day && waiting.withoutEnd == 1, "e's")
        #expect(throws: AuthorityError.oldKeysNeeded(until: now + 3650 * Self.day)) { try authority.dropOldKeys(name: "main", now: now) }
        _ = try authority.revoke(revocations[4], now: now)
        #expect(throws: AuthorityError.oldKeysNeeded(until: now + Self.day)) { try authority.dropOldKeys(name: "main", now: now) }
        #expect(try authority.dropOldKeys(name: "main", now: now + Self.day) == 1)
    }

    @Test func oldKeysGoWhenNobodyNeedsThem() throws {
        let old = try authority.makeGates(name: "main", now: now)
        try issueToken(at: now, until: now + Self.day)
        let new = try authority.rotateGates(name: "main", now: now + 1).group
        try issueToken(at: now + 2, until: now + 9 * Self.day)
        #expect(throws: AuthorityError.rotationUnderWay(name: "main")) { try authority.rotateGates(name: "main", now: now + 2) }
        #expect(throws: AuthorityError.oldKeysNeeded(until: now + Self.day)) {
            try authority.dropOldKeys(name: "main", now: now + Self.day - 1)
        }
        #expect(try known().contains(old.signing.key))
        #expect(try authority.dropOldKeys(name: "main", now: now + Self.day) == 1)
        #expect(try known() == [new.signing.key, new.agreement.key])
        #expect(try authority.dropOldKeys(name: "main", now: now + Self.day) == 0)
        #expect(try authority.gateKeys().map { $0.droppedAt } == [now + Self.day, now + Self.day, nil, nil])
        #expect(try authority.rotateGates(name: "main", now: now + 2 * Self.day).group.generation == 3)
    }

    @Test func whatIsDroppedIsPublishedNoMore() throws {
        let old = try authority.makeGates(name: "main", now: now)
        let new = try authority.rotateGates(name: "main", now: now).group
        let issuer = GateListEntry.issuer(try gateIssuer()).encoded
        func published() throws -> Set<[UInt8]> {
            Set(try RepositoryFixture(authority, in: scratch).published().compactMap { if case .gateCredential(let raw) = $0 { raw } else { nil } })
        }
        let ours: Set = [new.signing.claims, new.agreement.claims, issuer]
        #expect(try published() == ours.union([old.signing.claims, old.agreement.claims]))
        _ = try authority.dropOldKeys(name: "main", now: now)
        #expect(try published() == ours)
    }

    /// A stolen key: the new ones are believed at once by phones that know the gate issuer.
    @Test func inAnEmergencyTheNewKeysHaveCredentials() throws {
        let old = try authority.makeGates(name: "main", now: now)
        let issuer = try gateIssuer()
        try issueToken(at: now, until: now + 50 * Self.day)
        let (new, tokens, handover) = try authority.replaceGates(name: "main", validSeconds: nil, now: now + 1)
        #expect(handover.safeFrom == now + 50 * Self.day)
        #expect(tokens.expiresAt == handover.safeFrom, "until every phone has come")
        for (name, use, key) in [("gate-signing.cwt", KeyUse.sign, new.signing.key), ("gate-agreement.cwt", .agree, new.agreement.key)] {
            let token = try GateToken(parsing: scratch.bytes("site/gates/main/2/\(name)"))
            #expect(token.claims.confirmationKey == COSEKey(key: key, use: use))
            #expect(throws: Never.self) { try token.verify(by: issuer, at: now - 3000) }
            #expect(throws: Never.self) { try token.verify(by: issuer, at: now + 50 * Self.day - 1) }
            #expect(throws: GateTokenError.expired(at: tokens.expiresAt)) { try token.verify(by: issuer, at: tokens.expiresAt) }
        }
        #expect(try known().prefix(2) == [old.signing.key, old.agreement.key])
        #expect(try authority.dropOldKeys(name: "main", now: now + 2) == 1, "nobody has to wait for the end of a token")
        #expect(try known() == [new.signing.key, new.agreement.key])
        #expect(try gateIssuer() == issuer)
    }

    @Test func anEmergencyDoesNotWaitForARotation() throws {
        _ = try authority.makeGates(name: "main", now: now)
        _ = try authority.rotateGates(name: "main", now: now)
        let (new, tokens, _) = try authority.replaceGates(name: "main", validSeconds: 100, now: now)
        #expect(new.generation == 3 && tokens.expiresAt == now + 100)
        #expect(try known().count == 6)
        #expect(try authority.dropOldKeys(name: "main", now: now) == 2)
    }

    @Test func credentialsAreRenewedForTheNewestKeys() throws {
        _ = try authority.makeGates(name: "main", now: now)
        let new = try authority.rotateGates(name: "main", now: now).group
        let (group, tokens) = try authority.vouchForGates(name: "main", validSeconds: nil, now: now)
        #expect(group.signing == new.signing && group.generation == 2)
        #expect(tokens.expiresAt == now + 30 * Self.day)
        let token = try GateToken(parsing: scratch.bytes("site/gates/main/2/gate-signing.cwt"))
        #expect(token.claims.confirmationKey.key == new.signing.key)
        #expect(throws: AuthorityError.badTimes) { try authority.vouchForGates(name: "main", validSeconds: 0, now: now) }
    }

    @Test func gatesThatAreNotThereAreNotChanged() throws {
        #expect(throws: AuthorityError.noGates(name: "x")) { try authority.rotateGates(name: "x", now: now) }
        #expect(throws: AuthorityError.noGates(name: "x")) { try authority.replaceGates(name: "x", validSeconds: nil, now: now) }
        #expect(throws: AuthorityError.noGates(name: "x")) { try authority.vouchForGates(name: "x", validSeconds: nil, now: now) }
        #expect(throws: AuthorityError.noGates(name: "x")) { try authority.dropOldKeys(name: "x", now: now) }
    }

    /// A crash between the key files and the database.
    @Test func anInterruptedChangeGoesOnWithItsKeys() throws {
        _ = try authority.makeGates(name: "main", now: now)
        try scratch.makeFolder("site/gates/main/2")
        let made = try KeyFile(role: .gateSigning, making: .sign)
        try scratch.write("site/gates/main/2/gate-signing.key", made.text())
        try scratch.setMode("site/gates/main/2/gate-signing.key", 0o600)
        #expect(try authority.rotateGates(name: "main", now: now).group.signing.key == made.publicKey)
    }

    /// Makes groups that have changed their keys, four keys each; all the `kid`s that phones then have.
    private func names(ofGroups count: Int) throws -> [[UInt8]] {
        for number in 0..<count {
            _ = try authority.makeGates(name: "group-\(number)", now: now)
            _ = try authority.rotateGates(name: "group-\(number)", now: now)
        }
        return try list().compactMap { entry -> [UInt8]? in
            switch entry {
            case .credential(let credential): credential.key.keyIdentifier
            case .issuer: nil
            }
        }
    }

    /// RFC 9528, 3.3.2: a byte less in every message_2, and libedhoc refuses a `kid` of one byte that is no integer.
    @Test func everyGateKeyHasANameThatTravelsAsAnInteger() throws {
        let names = try names(ofGroups: 5)
        #expect(names.count == 20 && Set(names).count == 20)
        for name in names {
            #expect(name.count == 1)
            #expect(name.allSatisfy { $0 <= 0x17 || (0x20...0x37).contains($0) }, "\(Hex.encode(name))")
        }
    }

    /// `kid` has one byte and phones try four keys by it: many groups, each changing its keys, must not come to five.
    @Test func noFiveKeysInUseShareAKeyIdentifier() throws {
        let names = try names(ofGroups: 40)
        #expect(names.count == 160)
        #expect(names.allSatisfy { GateKeyNames.short.contains($0[0]) })
        #expect(Dictionary(grouping: names, by: { $0 }).values.allSatisfy { $0.count <= 4 })
    }

    /// Where four keys have each of the 48 names, the other bytes are taken, and none by more than four either.
    @Test func beyondTheShortNamesTheOthersAreTaken() throws {
        #expect(GateKeyNames.short.count == 48)
        var names = GateKeyNames()
        var left = Dictionary(uniqueKeysWithValues: GateKeyNames.short.map { ($0, GateKeyNames.mostKeysOfOneName) })
        var others: [UInt8] = []
        while others.count < 4 {
            let credential = GateCredential(site: "north", key: try SigningKey.generate(.p256).publicKey)
            guard names.welcomes(credential) else { continue }
            names.add(credential)
            let name = credential.keyIdentifier[0]
            if left.values.contains(where: { $0 > 0 }) {
                #expect((left[name] ?? 0) > 0, "a short name was free")
                left[name, default: 0] -= 1
            } else {
                others.append(name)
            }
        }
        #expect(others.allSatisfy { !GateKeyNames.short.contains($0) })
    }

    /// Gates would refuse the whole publication, and nobody could take the key out again.
    @Test func aGatesKeyThatWasEnrolledLongAgoIsNotPublished() throws {
        let folder = try ScratchFolder()
        let person = try phoneKey()
        do {
            let authority = try makeAuthority(in: folder)
            _ = try authority.makeGates(name: "main", now: now)
            _ = try authority.enrol(EnrolmentRequest(key: person, use: .sign, subject: "eve"), now: now)
        }
        do {
            let connection = try SQLiteConnection(path: folder.path("site/authority.db"), access: .readWrite, cacheKibibytes: 256)
            let claims = Hex.encode(GateCredential(site: "north", key: person).claims)
            try connection.execute("INSERT INTO gate_key (name, generation, use, claims, made_at) VALUES ('old', 1, 'sign', x'\(claims)', 1)")
        }
        let authority = try Authority(openingFolder: folder.path("site"))
        let fixture = RepositoryFixture(authority, in: folder)
        #expect(try fixture.published().allSatisfy { if case .enrolled = $0 { false } else { true } })
        _ = try fixture.check()
    }

    // Roles (V3) -------------------------------------------------------------------------------------

    @Test func theGateIssuerHasANameAndAKeyOfItsOwn() throws {
        #expect(throws: AuthorityError.sharedIssuer("a")) {
            try Authority.make(inFolder: scratch.path("other"), site: "a", issuer: "a", gateIssuer: "a", now: now)
        }
        _ = try authority.makeGates(name: "main", now: now)
        let issuer = try gateIssuer()
        let others = [try KeyFile(parsing: scratch.bytes("site/issuer.pub")).publicKey]
        #expect(issuer.name == "north-gates" && issuer.site == "north" && !others.contains(issuer.key))
        let key = try KeyFile(parsing: scratch.bytes("site/gate-issuer.key"))
        #expect(key.role == .gateIssuer && key.publicKey == issuer.key)
        #expect(try scratch.mode("site/gate-issuer.key") == 0o600)
    }

    /// Its key was stolen: no phone from before knows the new one.
    @Test func aGateIssuerIsMadeAgainWhenItsKeyWasMovedAway() throws {
        _ = try authority.makeGates(name: "main", now: now)
        let old = try gateIssuer()
        try issueToken(at: now, until: now + Self.day)
        try scratch.remove("site/gate-issuer.key")
        let handover = try authority.replaceGates(name: "main", validSeconds: nil, now: now + 10).handover
        let new = try gateIssuer()
        #expect(new.name == old.name && new.key != old.key)
        #expect(try KeyFile(parsing: scratch.bytes("site/gate-issuer.pub")).publicKey == new.key)
        #expect(handover.withoutIssuer == 1)
        let token = try GateToken(parsing: scratch.bytes("site/gates/main/2/gate-signing.cwt"))
        #expect(throws: GateTokenError.signature) { try token.verify(by: old, at: nil) }
        #expect(throws: Never.self) { try token.verify(by: new, at: now + 10) }
    }

    @Test func aGateIssuerIsNeverNamedLikeTheTokenIssuer() throws {
        for (name, gates) in [("south-gates", "gates"), ("south", "south-gates")] {
            let other = try ScratchFolder()
            let authority = try Authority.make(inFolder: other.path("site"), site: "south", issuer: name, now: now)
            _ = try authority.makeGates(name: "main", now: now)
            let last = try #require(GateListEntry.list(parsing: other.bytes("site/gates.phone"))?.last)
            guard case .issuer(let issuer) = last else { Issue.record("\(last)"); continue }
            #expect(issuer.name == gates)
        }
    }

    @Test func aKeyThatIssuesTokensIssuesNoGates() throws {
        let key = try #require(KeyFile(parsing: scratch.bytes("site/issuer.key")).signingKey)
        try scratch.write("site/gate-issuer.key", KeyFile(role: .gateIssuer, material: .signing(key)).text())
        #expect(throws: AuthorityError.keyOfTwoRoles(path: scratch.path("site/gate-issuer.key"))) {
            try authority.makeGates(name: "main", now: now)
        }
    }

    @Test func nobodyIsLetInWithAKeyOfAnotherRole() throws {
        let old = try authority.makeGates(name: "main", now: now)
        let new = try authority.replaceGates(name: "main", validSeconds: nil, now: now).group
        _ = try authority.dropOldKeys(name: "main", now: now)
        try scratch.write("site/site.key", KeyFile(role: .site, making: .sign).text())  // of an office from before the first release
        try scratch.setMode("site/site.key", 0o600)
        let issuers = try ["site.key", "issuer.key", "gate-issuer.key"].map { try KeyFile(parsing: scratch.bytes("site/\($0)")).publicKey }
        for key in [old.signing.key, old.agreement.key, new.signing.key, new.agreement.key] + issuers {
            let refused = AuthorityError.notAPersons(thumbprint: key.thumbprint)
            #expect(throws: refused) {
                try authority.issue(TokenRequest(key: key, use: .sign, subject: "eve", rights: Rights(expiresAt: now + 1)), now: now)
            }
            #expect(throws: refused) { try authority.enrol(EnrolmentRequest(key: key, use: .sign, subject: "eve"), now: now) }
            let line = "{\"subject\":\"eve\",\"key\":\"04\(Hex.encode(key.x + (key.y ?? [])))\"}\n"
            try scratch.write("list", Array(line.utf8))
            #expect {
                try authority.enrol(listAt: scratch.path("list"), now: now)
            } throws: { error in
                guard case AuthorityError.line(1, "key-not-a-persons", _) = error else { return false }
                return true
            }
        }
    }

    @Test func aPersonsKeyMakesNoGate() throws {
        for hasToken in [true, false] {
            let made = try KeyFile(role: .gateSigning, making: .sign)
            if hasToken {
                _ = try authority.issue(TokenRequest(key: made.publicKey, use: .sign, subject: "eve", rights: Rights(expiresAt: now + 1)), now: now)
            } else {
                _ = try authority.enrol(EnrolmentRequest(key: made.publicKey, use: .sign, subject: "eve"), now: now)
            }
            let name = hasToken ? "main" : "side"
            if hasToken { try scratch.makeFolder("site/gates") }
            try scratch.makeFolder("site/gates/\(name)")
            try scratch.write("site/gates/\(name)/gate-signing.key", made.text())
            try scratch.setMode("site/gates/\(name)/gate-signing.key", 0o600)
            #expect(throws: AuthorityError.aPersons(thumbprint: made.publicKey.thumbprint)) { try authority.makeGates(name: name, now: now) }
        }
    }

    /// An authority that was made before there were gate issuers gets one, and says whose phones do not know it.
    @Test func anOlderAuthorityGoesOn() throws {
        let folder = try ScratchFolder()
        do {
            let authority = try makeAuthority(in: folder)
            _ = try authority.makeGates(name: "main", now: now)
            _ = try authority.issue(TokenRequest(key: phoneKey(), use: .sign, subject: "anna", rights: Rights(expiresAt: now + 500)), now: now)
        }
        let before = try GateListEntry.list(parsing: folder.bytes("site/gates.phone"))?.dropLast()
        do {
            let connection = try SQLiteConnection(path: folder.path("site/authority.db"), access: .readWrite, cacheKibibytes: 256)
            try connection.execute("""
                DROP TABLE row_sum;
                DROP TABLE issuer_ceiling;
                DROP TABLE queued_revocation;
                DROP INDEX token_by_key;
                DROP TABLE noted;
                DROP TABLE restoration;
                DROP TABLE token_issuer;
                DROP TABLE gate_seen;
                DROP TABLE repository;
                DROP TABLE role;
                DROP TABLE role_key;
                DROP TABLE metadata;
                DROP TABLE site_data;
                DROP TABLE people_bundle;
                DROP TABLE ceiling;
                DROP TABLE people_state;
                DROP TABLE people_told;
                DROP TABLE people_sum;
                DROP TABLE people_zone;
                DROP TABLE told;
                DROP TABLE site_revocation;
                DROP TABLE word;
                DROP TABLE gone;
                DROP INDEX enrolled_by_state;
                DROP INDEX revocation_by_state;
                ALTER TABLE enrolled DROP COLUMN state_version;
                ALTER TABLE revocation DROP COLUMN state_version;
                DROP TABLE plain_card;
                DROP TABLE rule;
                DROP TABLE membership;
                DROP TABLE rule_file;
                CREATE TABLE gates (name TEXT NOT NULL, use TEXT NOT NULL, claims BLOB NOT NULL UNIQUE, made_at INTEGER NOT NULL,
                    PRIMARY KEY (name, use)) STRICT;
                INSERT INTO gates SELECT name, use, claims, made_at FROM gate_key ORDER BY rowid;
                DROP TABLE gate_key;
                ALTER TABLE site DROP COLUMN gate_issuer;
                ALTER TABLE site DROP COLUMN gate_issuer_at;
                PRAGMA user_version = 2;
                """)
        }
        try folder.remove("site/gate-issuer.key")
        try folder.write("site/gates.phone", Array((before ?? []).flatMap(\.encoded)))
        let authority = try Authority(openingFolder: folder.path("site"))
        // Whatever makes the issuer also gives it to the phones that come next.
        _ = try RepositoryFixture(authority, in: folder).published(at: now + 50)
        _ = try authority.issue(TokenRequest(key: phoneKey(), use: .sign, subject: "ben", rights: Rights(expiresAt: now + 500)), now: now + 60)
        let handover = try authority.rotateGates(name: "main", now: now + 100).handover
        #expect(handover.withoutIssuer == 1, "anna's phone")
        #expect(try authority.replaceGates(name: "main", validSeconds: nil, now: now + 501).handover.withoutIssuer == 0, "her token is over")
        let after = try #require(GateListEntry.list(parsing: folder.bytes("site/gates.phone")))
        #expect(before.map(Array.init) == Array(after.prefix(2)))
        guard case .issuer = after.last else { Issue.record("no issuer"); return }
    }

    /// The way out when the gate issuer's key was stolen: it is moved away. Every phone of before believes the thief, and
    /// nobody who signs now; that is said, and phones that come from then on are given the new one.
    @Test func aGateIssuerThatWasMovedAwayIsKnownToNobodyYet() throws {
        _ = try authority.makeGates(name: "main", now: now)
        try issueToken(at: now, until: now + 500)
        let stolen = try gateIssuer()
        try scratch.remove("site/gate-issuer.key")
        _ = try RepositoryFixture(authority, in: scratch).published(at: now + 10)
        let next = try gateIssuer()
        #expect(next.name == stolen.name && next.key != stolen.key)
        #expect(try KeyFile(parsing: scratch.bytes("site/gate-issuer.pub")).publicKey == next.key)
        try issueToken(at: now + 20, until: now + 600)
        let handover = try authority.replaceGates(name: "main", validSeconds: nil, now: now + 30).handover
        #expect(handover.withoutIssuer == 1, "whoever came before it was moved away")
        #expect(try gateIssuer() == next)
    }
}
