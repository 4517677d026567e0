import Cryptography
import Encoding
import SiteData
import Testing

@testable import Authority

/// An owned office drafts what a thief wants. Whoever signs sees it.
@Suite("Whoever signs is not blind") struct BlindSigningTests {
    let fixture: RepositoryFixture
    let root: [String], targets: String
    var authority: Authority { fixture.authority }

    /// A site in service: both roles are signed, by the keys that lie here as with three people.
    init() throws {
        fixture = try RepositoryFixture()
        (root, targets) = try fixture.makeWithCeremony()
        try fixture.sign(.root, [root[0], root[1]])
        try fixture.sign(.targets, [targets])
    }

    private func code(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return (error as? AuthorityError)?.code ?? "\(error)"
        }
    }

    /// What the thief makes of an honest draft: it arrives over a file.
    private func carried(_ draft: Draft) throws -> Draft { try #require(Draft(parsing: draft.bytes)) }

    /// The newest root, as somebody keeps it.
    private func rootFile(_ name: String = "trusted.json") throws -> String {
        try fixture.scratch.write(name, try #require(try authority.database.metadata(.root)))
        return fixture.scratch.path(name)
    }

    /// A draft of targets whose part of the site says that the thief's issuer was there before.
    private func withTheIssuerInBothHalves() throws -> Draft {
        _ = try authority.rotateIssuer(name: "thief", now: now)
        let draft = try authority.draft(.targets, now: now)
        let data = try #require(draft.siteData)
        var made = try #require(draft.before)
        made["targets"] = .object(JSONObject([(SignedPart.siteData, SignedPart.File(path: SignedPart.siteData, length: data.count, hash: SHA256.hash(data)).json)]))
        let file: JSON = ["signatures": draft.inForce?["signatures"] ?? .null, "signed": .object(made)]
        return Draft(site: draft.site, role: .targets, signed: draft.signed, inForce: file, rootFile: draft.rootFile, siteData: data, siteDataBefore: data)
    }

    @Test func anOwnedOfficePutsItsIssuerIntoBothHalvesAndItIsShownAllTheSame() throws {
        let draft = try carried(withTheIssuerInBothHalves())
        for roots in [[], [try rootFile()]] {
            let judged = try Authority.judge(draft, forKeyAt: targets, roots: roots)
            #expect(!judged.past.isKnown)
            #expect(judged.lines.contains { $0.hasPrefix("! NOT compared with version 1") })
            #expect(judged.lines.contains { $0.hasPrefix("  token issuer 'thief'") })
        }
        // The honest draft of the same is compared.
        let honest = try Authority.judge(carried(authority.draft(.targets, now: now)), forKeyAt: targets)
        #expect(honest.past == .known(.thisKey))
        #expect(honest.lines.filter { $0.contains("token issuer") }.count == 1 && honest.lines.contains { $0.hasPrefix("+ token issuer 'thief'") })
    }

    /// South's line would be gone from the screen, and the one above with it.
    @Test func anIssuerWhoseNameHidesItsLineIsNotEvenShown() throws {
        let honest = try withTheIssuerInBothHalves()
        let data = try #require(honest.siteData), name = Array("thief".utf8)
        let place = try #require(data.indices.first { data[$0...].starts(with: name) })
        let forged = Array(data[..<place]) + Array("s\u{1B}[1A".utf8) + Array(data[(place + name.count)...])
        var signed = honest.signed
        signed["targets"] = .object(JSONObject([(SignedPart.siteData, SignedPart.File(path: SignedPart.siteData, length: forged.count, hash: SHA256.hash(forged)).json)]))
        let draft = Draft(site: honest.site, role: .targets, signed: signed, inForce: try authority.draft(.targets, now: now).inForce, rootFile: honest.rootFile, siteData: forged)
        #expect(Draft(parsing: draft.bytes) == nil)
        #expect(Draft(parsing: Draft(site: "north\u{1B}[2K", role: .targets, signed: honest.signed, inForce: honest.inForce, rootFile: honest.rootFile,
                                     siteData: data).bytes) == nil, "nor is a site of such a name")
    }

    /// Whoever carries the medium puts a file beside the key.
    @Test func aFileBesideTheKeyLendsNoNameThatIsNone() throws {
        let key = try fixture.scratch.bytes("b.pub")
        try fixture.scratch.remove("b.pub")
        try fixture.scratch.write("b\u{1B}[2K.pub", key)
        let judged = try Authority.judge(carried(authority.draft(.root, now: now)), forKeyAt: root[0])
        #expect(judged.lines.contains("  key of root: \(try identifier("b"))"))
    }

    @Test func anOwnedOfficeGivesTheThiefRootAndEachHolderReadsIt() throws {
        let thief = try fixture.key(.root, "thief")
        let key = try publicHalf(.root, at: thief)
        // The root that the thief wants, and one in force that has it all already.
        let wanted = SignedPart.root(
            .init(version: 2, issuedAt: now, validSeconds: 86_400), keys: [RoleKey(role: .root, key: key, file: nil, since: 0, until: nil)]
                + (try authority.database.roleKeys().filter { $0.role != .people && $0.until == nil }), thresholds: [.root: 1])
        var made = wanted
        made["version"] = 1
        let draft = try carried(Draft(site: "north", role: .root, signed: wanted, inForce: ["signatures": [], "signed": .object(made)]))
        for path in root[0...1] {
            let judged = try Authority.judge(draft, forKeyAt: path, roots: [rootFile()])
            #expect(judged.past == .unknown(.notSignedForRoot(version: 1)))
            #expect(judged.lines.contains("  root needs 1 of 4 keys"))
            #expect(judged.lines.contains { $0.hasPrefix("  key of root: \(key.metadataIdentifier)") })
        }
    }

    @Test func aRootIsShownWholeWithWhatChangesMarked() throws {
        var rotation = Authority.Rotation()
        rotation.added = [try publicHalf(.root, at: fixture.key(.root, "dave"))]
        rotation.removed = [try publicHalf(.root, at: root[2]).metadataIdentifier]
        rotation.threshold = 1
        _ = try authority.rotate(.root, rotation, now: now)
        let judged = try Authority.judge(carried(authority.draft(.root, now: now)), forKeyAt: root[0])
        #expect(judged.past == .known(.thisKey) && judged.lines.contains("compared with version 1, which this key has signed"))
        #expect(judged.lines.contains("  root needs 1 of 3 keys; before, 2 of 3"))
        // The name is that of the public half which lies beside the key.
        let named = try ["a", "b"].map { "  key of root: \(try identifier($0)) (\($0))" } + ["+ key of root: \(try identifier("dave")) (dave)", "- key of root: \(try identifier("c")) (c)"]
        #expect(judged.lines.filter { $0.contains("key of root") } == named)
        for role in ["targets", "snapshot", "timestamp"] { #expect(judged.lines.contains { $0.hasPrefix("  key of \(role): ") }) }
    }

    private func identifier(_ name: String) throws -> String {
        try AuthorityFolder.key(at: fixture.scratch.path("\(name).key"), role: .root).publicKey.metadataIdentifier
    }

    @Test func whoHasNotSignedWhatIsInForceNamesARoot() throws {
        let draft = try carried(authority.draft(.root, now: now))
        #expect(try Authority.judge(draft, forKeyAt: root[2]).past == .unknown(.notSignedByThisKey))
        #expect(try Authority.judge(draft, forKeyAt: root[2], roots: [rootFile()]).past == .known(.root(version: 1)))
        // The next one is signed by the keys of the first, which somebody still has at hand.
        let first = try rootFile("1.root.json")
        try fixture.sign(.root, [root[0], root[1]])
        let next = try carried(authority.draft(.root, now: now))
        #expect(try Authority.judge(next, forKeyAt: root[2], roots: [first]).past == .known(.root(version: 1)))
        let site = try carried(authority.draft(.targets, now: now)), other = try fixture.key(.targets, "other")
        #expect(try Authority.judge(site, forKeyAt: other, roots: [first]).past == .known(.root(version: 1)))
        #expect(try Authority.judge(site, forKeyAt: other).past == .unknown(.notSignedByThisKey))
    }

    @Test func aRootOfAThiefVouchesForNothing() throws {
        let stranger = try RepositoryFixture()
        let keys = try stranger.makeWithCeremony()
        try stranger.sign(.root, keys.root)
        try fixture.scratch.write("strange.json", try #require(try stranger.authority.database.metadata(.root)))
        let strange = fixture.scratch.path("strange.json")
        #expect(try Authority.judge(authority.draft(.root, now: now), forKeyAt: root[2], roots: [strange]).past == .unknown(.notSignedForRoot(version: 1)))
        #expect(try Authority.judge(authority.draft(.targets, now: now), forKeyAt: fixture.key(.targets, "other"), roots: [strange]).past.isKnown == false)
        #expect(code { _ = try Authority.judge(authority.draft(.root, now: now), forKeyAt: root[2], roots: [targets]) } != nil, "no root")
    }

    @Test func whatKeysSignedThatCountNoMoreIsNotBelieved() throws {
        let first = try rootFile("1.root.json")
        let next = try fixture.key(.targets, "next")
        var rotation = Authority.Rotation()
        rotation.added = [try publicHalf(.targets, at: next)]
        rotation.removed = [try publicHalf(.targets, at: targets).metadataIdentifier]
        _ = try authority.rotate(.targets, rotation, now: now)
        try fixture.sign(.root, [root[0], root[1]])
        let judged = try Authority.judge(carried(authority.draft(.targets, now: now)), forKeyAt: next, roots: [first])
        #expect(judged.past == .unknown(.notSignedForRoot(version: 1)), "a stolen key may have signed it")
        #expect(judged.lines.contains { $0.hasPrefix("  token issuer") })
    }

    @Test func anOlderStateIsNotPassedOffAsTheOneInForce() throws {
        let old = try carried(authority.draft(.targets, now: now))
        _ = try authority.makeGates(name: "main", now: now)
        try fixture.sign(.targets, [targets])
        try fixture.sign(.targets, [targets])
        #expect(code { _ = try Authority.judge(old, forKeyAt: targets) } == "draft-rolled-back")
        // Signed again it is the same: a medium was lost.
        let draft = try carried(authority.draft(.targets, now: now))
        for _ in 0..<2 {
            let judged = try Authority.judge(draft, forKeyAt: targets)
            #expect(!judged.isSecondOfItsVersion)
            _ = try Authority.sign(judged, withKeyAt: targets)
        }
        let second = try Authority.judge(carried(authority.draft(.targets, now: now + 1)), forKeyAt: targets)
        #expect(second.isSecondOfItsVersion && second.lines.contains { $0.hasPrefix("! this key has signed another version") })
    }

    @Test(arguments: [Int64(3), 1 << 53, 0])
    func noVersionIsLeftOut(version: Int64) throws {
        let draft = try authority.draft(.targets, now: now)
        var signed = draft.signed
        signed["version"] = .integer(version)
        let made = Draft(site: draft.site, role: .targets, signed: signed, inForce: draft.inForce, rootFile: draft.rootFile, siteData: draft.siteData,
                         siteDataBefore: draft.siteDataBefore)
        #expect(code { _ = try Authority.judge(made, forKeyAt: targets) } == "draft-version")
    }

    /// A gate would follow it, and nobody would have read it.
    @Test func nothingIsSignedThatIsNotShown() throws {
        let draft = try authority.draft(.targets, now: now)
        func changed(_ change: (inout JSONObject) -> Void) -> Draft? {
            var signed = draft.signed
            change(&signed)
            return Draft(parsing: Draft(site: draft.site, role: .targets, signed: signed, inForce: draft.inForce, rootFile: draft.rootFile,
                                        siteData: draft.siteData, siteDataBefore: draft.siteDataBefore).bytes)
        }
        #expect(changed { _ in } != nil)
        #expect(changed { $0["x-more"] = 1 } == nil)
        #expect(changed { $0["targets"] = .object(JSONObject(($0["targets"]?.object ?? JSONObject()).map { ($0.key, $0.value) } + [("site/more", ["length": 1, "hashes": [:]])])) } == nil)
        #expect(changed { signed in
            var delegations = signed["delegations"]?.object ?? JSONObject()
            var delegation = delegations["roles"]?.array?.first?.object ?? JSONObject()
            delegation["paths"] = ["*"]
            delegations["roles"] = [.object(delegation)]
            signed["delegations"] = .object(delegations)
        } == nil)
        var other = try #require(draft.before)
        other["targets"] = [:]
        #expect(Draft(parsing: Draft(site: draft.site, role: .targets, signed: draft.signed, inForce: ["signatures": [], "signed": .object(other)],
                                     rootFile: draft.rootFile, siteData: draft.siteData, siteDataBefore: draft.siteDataBefore).bytes) == nil, "not of those data")
    }

    @Test func whatWasSignedIsRememberedBeforeTheSignatureIsGivenAway() throws {
        let path = SigningRecord.path(ofKeyAt: targets)
        #expect(try fixture.scratch.mode("t.key.signed") == 0o600)
        #expect(try SigningRecord(ofKeyAt: targets).entries.map(\.version) == [1])
        try fixture.scratch.write("t.key.signed", Array("{".utf8))
        let draft = try authority.draft(.targets, now: now)
        #expect(code { _ = try Authority.judge(draft, forKeyAt: targets) } == "signing-record-damaged")
        #expect(code { _ = try Authority.sign(authority.judge(draft), withKeyAt: targets) } == "signing-record-damaged")
        #expect(path == targets + ".signed")
    }
}
