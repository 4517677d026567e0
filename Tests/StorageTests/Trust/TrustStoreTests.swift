import Credentials
import Cryptography
import Encoding
import Foundation
import Glibc
import SiteData
import Testing
import Vocabulary

@testable import Storage

@Suite struct TrustStoreTests {
    /// A pipe whose writer says nothing would hold up every other import, and the stop.
    @Test func onlyARegularFileIsRead() throws {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        var pipe: [Int32] = [0, 0]
        #expect(Glibc.pipe(&pipe) == 0)
        let folder = Glibc.open(fixture.folder.path, O_RDONLY | O_DIRECTORY)
        let device = Glibc.open("/dev/zero", O_RDONLY)
        defer { for descriptor in pipe + [folder, device] { Glibc.close(descriptor) } }
        let published = try fixture.publication([])
        func apply(_ descriptor: Int32) throws { _ = try store.apply(full: descriptor, changes: nil, site: descriptor, published.update, clock: fixture.clock) }
        for descriptor in [pipe[0], folder, device] { #expect(throws: ImportError.notAFile) { try apply(descriptor) } }
        #expect(throws: ImportError.storage(StorageError(.inputOutput, ""))) { try apply(-1) }
        try fixture.apply(published, to: store)
        #expect(store.status.publication?.version == 1)
    }

    @Test func whetherAKeyWasAttestedIsKept() throws {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        let plain = try fixture.enrolled(1), other = try fixture.enrolled(2)
        let attested = EnrolledKey(keyIdentifier: other.keyIdentifier, key: other.key, use: other.use, subject: other.subject,
                                   userVerification: true)
        try fixture.apply(fixture.publication([.enrolled(plain), .enrolled(attested)]), to: store)
        for key in [plain, attested] {
            #expect(try store.answer(TrustFixture.question(kid: key.keyIdentifier)).enrolled.map(\.key) == [key])
        }
    }

    /// An office whose clock stood years ahead must not keep the gate without data that count.
    @Test func aResetSetsSiteDataFromTheFutureAside() throws {
        let fixture = try TrustFixture()
        let wrong = TrustFixture.now + 3600 * 24 * 3650
        let store = try fixture.open()
        try fixture.apply(fixture.publication([], version: 7, issuedAt: wrong, expiresAt: wrong + 3600), to: store)
        #expect(try store.resetFloor(now: TrustFixture.now) == "trust.db.future-1")
        #expect(store.status.state == .absent(StorageError(.noSiteData, "")))
        #expect(try store.answer(TrustFixture.question(kid: [1])) == .absent)
        store.close()

        let again = try fixture.open(site: "hq")
        #expect(fixture.folder.has("trust.db.future-1"))
        // The way forward is open, the way back is not.
        #expect(fixture.refusal(try fixture.publication([], version: 6), by: again) == .bundle(.rollback(have: 7, given: 6)))
        #expect(try fixture.apply(fixture.publication([], version: 8), to: again).version == 8)
    }

    @Test func aResetLeavesSiteDataThatAreNotAhead() throws {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        #expect(try store.resetFloor(now: TrustFixture.now) == nil)
        try fixture.apply(fixture.publication([], version: 7), to: store)
        // A clock may be a day behind that of the office.
        #expect(try store.resetFloor(now: TrustFixture.now - 60 - SitePublication.longestIssuedAhead) == nil)
        #expect(store.status.publication?.version == 7)
        #expect(try store.resetFloor(now: TrustFixture.now - 61 - SitePublication.longestIssuedAhead) == "trust.db.future-1")
    }

    /// Programs before this one took single files, whose dates were the clock's floor: a gate that had one keeps it until somebody resets it.
    @Test func theFloorOfAnOlderProgramStaysUntilItIsReset() throws {
        let fixture = try TrustFixture(), wrong = TrustFixture.now + 365 * 86_400
        let old = CBOR.array([.bytes([1]), 7, .bytes([2]), CBOR(wrong), 3]).encoded
        try SlotFile(path: fixture.folder.path("trust.floor")).write(old, synced: true)
        let store = try fixture.open()
        try fixture.apply(fixture.publication([]), to: store)
        #expect(store.status.clockFloor == wrong && store.generation == 4)
        #expect(try store.resetFloor(now: TrustFixture.now) == nil)
        #expect(store.status.clockFloor == TrustFixture.now)
        store.close()
        #expect(try fixture.open(site: "hq").status.clockFloor == TrustFixture.now)
    }

    @Test func withoutAFileNothingIsGranted() throws {
        let store = try TrustFixture().open()
        #expect(store.status.state == .absent(StorageError(.noSiteData, "")))
        #expect(store.status.clockFloor == nil)
        #expect(try store.answer(TrustFixture.question(kid: [1])) == .absent)
        #expect(store.generation == 0)
    }

    @Test func anEnrolledKeyIsFoundByBothNames() throws {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        let keys = try (0..<300).map { try fixture.enrolled($0) }
        let applied = try fixture.apply(try fixture.publication(keys.map { .enrolled($0) }), to: store)
        #expect(applied.generation == 1)
        #expect(applied.counts.enrolled == 300)
        for key in keys {
            let expected = [TrustAnswer.EnrolledCandidate(key: key, isRevoked: false)]
            #expect(try store.answer(TrustFixture.question(kid: key.keyIdentifier)).enrolled == expected)
            let byValue = TrustQuestion(issuer: nil, revocations: [], enrolled: .thumbprint(key.key.thumbprint))
            #expect(try store.answer(byValue).enrolled == expected)
        }
        #expect(try store.answer(TrustFixture.question(kid: [9, 9, 9, 9, 9])).enrolled.isEmpty)
        var near = keys[0].key.thumbprint
        near[31] ^= 1
        #expect(try store.answer(TrustQuestion(issuer: nil, revocations: [], enrolled: .thumbprint(near))).enrolled.isEmpty)
    }

    @Test func everyKindOfKeyComesBackWhole() throws {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        let keys = [
            EnrolledKey(keyIdentifier: [], key: try AgreementKey.generate(.x25519).publicKey, use: .agree, subject: "b"),
            EnrolledKey(keyIdentifier: [1], key: try SigningKey.generate(.ed25519).publicKey, use: .sign, subject: "c",
                        scope: ["a", "b b", "ä"], audiences: [], notBefore: nil, expiresAt: 0),
            EnrolledKey(keyIdentifier: [2], key: try AgreementKey.generate().publicKey, use: .agree, subject: "ünï",
                        scope: ["tokn"], audiences: ["x", "y"], notBefore: 0, expiresAt: nil)
        ]
        try fixture.apply(try fixture.publication(keys.map { .enrolled($0) } + [.gateCredential([0xa0]), .gateCredential([1])]), to: store)
        for key in keys + keys.reversed() {
            #expect(try store.answer(TrustFixture.question(kid: key.keyIdentifier)).enrolled.map(\.key) == [key])
        }
        #expect(try store.gateCredentials() == [[1], [0xa0]])
    }

    /// A million persons are not remembered while reading (V3).
    @Test func aPersonWithTheKeyOfAGateOrIssuerIsRefused() throws {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        try fixture.apply(try fixture.publication([.issuer(fixture.issuer)]), to: store)
        let gate = try SigningKey.generate().publicKey
        let gateIssuer = GateIssuer(site: "hq", name: "hq-gates", key: try SigningKey.generate().publicKey)
        let roles: [(PublicationRecord, PublicKey)] = [
            (.issuer(fixture.issuer), fixture.issuer.key), (.gateCredential(GateCredential(site: "hq", key: gate).claims), gate),
            (.gateCredential(GateListEntry.issuer(gateIssuer).encoded), gateIssuer.key)
        ]
        for (record, key) in roles {
            let persons: [PublicationRecord] = try (0..<20).map { .enrolled(try fixture.enrolled($0)) }
            let person = PublicationRecord.enrolled(EnrolledKey(keyIdentifier: [1], key: key, use: .agree, subject: "eve"))
            #expect(fixture.refusal(try fixture.publication([record, person] + persons, version: 2), by: store)
                == .publication(.keyOfTwoRoles(thumbprint: key.thumbprint)))
        }
        #expect(store.status.publication?.version == 1, "the data in use stay")
        #expect(!fixture.folder.has("trust.db.new"))
    }

    @Test func atMostFourShareAName() throws {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        let keys = try (0..<6).map { try fixture.enrolled($0, kid: [7]) }
        try fixture.apply(try fixture.publication(keys.map { .enrolled($0) }), to: store)
        let found = try store.answer(TrustFixture.question(kid: [7])).enrolled.map(\.key)
        #expect(Set(found).count == 4 && Set(found).isSubset(of: keys))
    }

    @Test func issuersAreTrustedByName() throws {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        try fixture.apply(try fixture.publication([.issuer(fixture.issuer)]), to: store)
        let answer = try store.answer(TrustQuestion(issuer: "issuer-1", revocations: [], enrolled: .none))
        #expect(answer == TrustAnswer(
            issuer: fixture.issuer, isRevoked: false, enrolled: [], generation: 1, publicationIssuedAt: TrustFixture.now - 60))
        #expect(try store.answer(TrustQuestion(issuer: "Issuer-1", revocations: [], enrolled: .none)).issuer == nil)
    }

    @Test func everyKindOfRevocationIsFoundAndNoOther() throws {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        let identifier = try #require(TokenIdentifier([UInt8](repeating: 7, count: 32)))
        let other = try #require(TokenIdentifier([UInt8](repeating: 8, count: 32)))
        let revoked: [Revocation] = [
            .token(identifier), .issued(issuer: "a", cti: [9]), .subject("mallory"),
            .key(thumbprint: [UInt8](repeating: 8, count: 32)), .suspended("sam"), .issuer("visitors")
        ]
        let kept: [Revocation] = [
            .token(other), .issued(issuer: "a", cti: [8]), .issued(issuer: "b", cti: [9]), .subject("mallor"),
            .key(thumbprint: identifier.bytes), .suspended("mallory"), .subject("sam"), .issuer("sam"), .subject("visitors"),
            .issuer("Visitors")
        ]
        try fixture.apply(try fixture.publication((revoked + revoked).map { .revocation($0) }), to: store)
        for one in revoked {
            #expect(try store.answer(TrustFixture.question([one])).isRevoked)
            #expect(try store.answer(TrustFixture.question(kept + [one])).isRevoked)
        }
        #expect(try !store.answer(TrustFixture.question(kept)).isRevoked)
    }

    @Test func anEnrolledKeyIsRevokedBySubjectAndByKey() throws {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        let keys = [try fixture.enrolled(1), try fixture.enrolled(2), try fixture.enrolled(3)]
        try fixture.apply(try fixture.publication(keys.map { .enrolled($0) } + [
            .revocation(.subject("person-1")), .revocation(.key(thumbprint: keys[1].key.thumbprint))
        ]), to: store)
        let states = try keys.map { try store.answer(TrustFixture.question(kid: $0.keyIdentifier)).enrolled.map(\.isRevoked) }
        #expect(states == [[true], [true], [false]])
    }

    /// Whoever is suspended is revoked until a publication says it no more.
    @Test func anEnrolledKeyCountsAgainAfterASuspension() throws {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        let key = try fixture.enrolled(1)
        func isRevoked() throws -> [Bool] { try store.answer(TrustFixture.question(kid: key.keyIdentifier)).enrolled.map(\.isRevoked) }
        try fixture.apply(try fixture.publication([.enrolled(key), .revocation(.suspended("person-1"))]), to: store)
        #expect(try isRevoked() == [true])
        try fixture.apply(try fixture.publication([.enrolled(key)], version: 2), to: store)
        #expect(try isRevoked() == [false])
    }

    @Test func theGenerationGrowsWithEachPublication() throws {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        for version in 1...5 as ClosedRange<UInt64> {
            let key = try fixture.enrolled(UInt32(version))
            try fixture.apply(try fixture.publication([.enrolled(key)], version: version), to: store)
            #expect(store.generation == version)
            #expect(try store.answer(TrustFixture.question(kid: key.keyIdentifier)).generation == version)
            #expect(try store.answer(TrustFixture.question(kid: TrustFixture.kid(UInt32(version) - 1))).enrolled.isEmpty)
        }
        store.close()
        let again = try fixture.open(site: "hq")
        #expect(again.generation == 5)
        #expect(again.status.publication?.version == 5)
        #expect(fixture.folder.names == ["trust.db", "trust.floor"])
    }

    @Test func thePublicationInUseStaysOnEveryRefusal() throws {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        let key = try fixture.enrolled(1)
        let good = try fixture.publication([.enrolled(key)], version: 5)
        try fixture.apply(good, to: store)
        let newer = try fixture.publication([.enrolled(try fixture.enrolled(2))], version: 6)
        let elsewhere = try fixture.publication([], version: 6, site: "elsewhere")
        func broken(_ change: (inout TrustFixture.Published) -> Void) -> TrustFixture.Published {
            var published = newer
            change(&published)
            return published
        }
        let refusals: [(ImportError, TrustFixture.Published)] = [
            (.bundle(.rollback(have: 5, given: 4)), try fixture.publication([], version: 4)),
            (.bundle(.truncated), broken { $0.full.removeLast() }),
            (.bundle(.truncated), broken { $0.full = [] }),
            (.bundle(.malformed(offset: UInt64(newer.full.count))), broken { $0.full.append(0) }),
            (.bundle(.wrongSite), broken { $0.site = elsewhere.site }),
            (.bundle(.wrongSite), broken { $0.full = elsewhere.full })
        ]
        for (expected, file) in refusals {
            #expect(fixture.refusal(file, by: store) == expected)
            #expect(store.status.publication?.version == 5)
            #expect(try store.answer(TrustFixture.question(kid: key.keyIdentifier)).enrolled.map(\.key) == [key])
            #expect(fixture.folder.names == ["trust.db", "trust.floor"], "\(expected.code)")
        }
        #expect(fixture.refusal(broken { $0.full[newer.full.count - 20] ^= 1 }, by: store) != nil)
        // The very same one again is fine.
        #expect(try fixture.apply(good, to: store).generation == 2)
        #expect(try fixture.apply(newer, to: store).version == 6)
    }

    @Test func dataOfAnotherSiteCountAsAbsent() throws {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        try fixture.apply(try fixture.publication([]), to: store)
        store.close()
        #expect(try fixture.open(site: "elsewhere").status.state == .absent(StorageError(.noSiteData, "")))
        #expect(try fixture.open(site: "hq").status.publication != nil)
    }

    @Test func filesAreNotForOthers() throws {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        try fixture.apply(try fixture.publication([]), to: store)
        for name in fixture.folder.names { #expect(try fixture.folder.mode(name) & 0o137 == 0, "\(name)") }
    }

    @Test func aNameMayBeLong() throws {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        let site = String(repeating: "s", count: 256)
        try fixture.apply(fixture.publication([], site: site), to: store)
        store.close()
        #expect(try fixture.open(site: site).status.publication?.site == site)
    }
}
