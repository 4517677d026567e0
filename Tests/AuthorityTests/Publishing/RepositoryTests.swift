import Credentials
import Cryptography
import Encoding
import SiteData
import Testing

@testable import Authority

/// The site's repository: a gate that begins with the first root takes it after every command.
@Suite("The repository of a site") struct RepositoryTests {
    let fixture: RepositoryFixture
    var authority: Authority { fixture.authority }

    init() throws { fixture = try RepositoryFixture() }

    private func code(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch let error as AuthorityError {
            #expect(error.message.hasSuffix("."))
            return error.code
        } catch {
            return "\(error)"
        }
    }

    // Ceremonies --------------------------------------------------------------------------------------

    @Test func withAllKeysInOnePlaceItIsPublishedAtOnce() throws {
        #expect(code { _ = try authority.publish(now: now) } == "repository-missing")
        try fixture.makeTogether()
        let found = try fixture.check()
        #expect(found.versions == [.root: 1, .targets: 1, .people: 1, .snapshot: 1, .timestamp: 1])
        #expect(found.targets.keys.sorted() == ["people/full", "site/data"])
        #expect(found.expires == now + 3 * 86_400 && found.state?.version == 1)
        #expect(code { try fixture.makeTogether() } == "repository-exists")
        #expect(try fixture.scratch.mode("site/roles/timestamp-1.key") == 0o600 && fixture.scratch.mode("repo/metadata/timestamp.json") == 0o644)
    }

    @Test func threePeopleBeginARepository() throws {
        let (root, targets) = try fixture.makeWithCeremony()
        #expect(code { _ = try authority.publish(now: now) } == "role-unsigned")
        #expect(code { _ = try authority.draft(.targets, now: now) } == "role-unsigned")
        #expect(try fixture.sign(.root, [root[0], root[2]]) == nil, "targets come next")
        #expect(try fixture.sign(.targets, [targets])?.versions[.timestamp] == 1)
        #expect(try fixture.check().versions == [.root: 1, .targets: 1, .people: 1, .snapshot: 1, .timestamp: 1])
    }

    @Test func tooFewAndStrangersAreRefused() throws {
        let (root, targets) = try fixture.makeWithCeremony()
        #expect(code { try fixture.sign(.root, [root[0]]) } == "threshold-not-met")
        #expect(code { try fixture.sign(.root, [root[0], root[0]]) } == "threshold-not-met", "one key counts once")
        let stranger = try fixture.key(.root, "stranger")
        #expect(code { try fixture.sign(.root, [root[0], stranger]) } == "signature-of-stranger")
        #expect(code { try fixture.sign(.root, [targets]) } == "key-wrong-role")
        let draft = try authority.draft(.root, now: now)
        let forged = DraftSignature(draft: draft.identifier, keyIdentifier: try publicHalf(.root, at: root[1]).metadataIdentifier,
                                    bytes: [UInt8](repeating: 1, count: 64))
        #expect(code { _ = try authority.accept(draft, [RepositoryFixture.sign(draft, root[0]), forged], now: now) } == "threshold-not-met")
        let unknown = DraftSignature(draft: draft.identifier, keyIdentifier: "00", bytes: [])
        #expect(code { _ = try authority.accept(draft, [unknown], now: now) } == "signature-of-stranger")
        #expect(try authority.signed(.root) == nil, "nothing was kept")
    }

    @Test func whatWasSignedMeanwhileMakesADraftOld() throws {
        let (root, targets) = try fixture.makeWithCeremony()
        let old = try authority.draft(.root, now: now)
        try fixture.sign(.root, root)
        let signatures = try root.map { try RepositoryFixture.sign(old, $0) }
        #expect(code { _ = try authority.accept(old, signatures, now: now) } == "draft-outdated")
        let early = try authority.draft(.targets, now: now)
        try fixture.sign(.root, root)
        let signature = try RepositoryFixture.sign(early, targets)
        #expect(code { _ = try authority.accept(early, [signature], now: now) } == "draft-outdated", "it is judged by another root")
    }

    @Test func draftsAndSignaturesAreKnownByTheirForm() throws {
        let (root, _) = try fixture.makeWithCeremony()
        let draft = try authority.draft(.root, now: now)
        #expect(Draft(parsing: draft.bytes) == draft)
        #expect(Draft(parsing: Array("{}".utf8)) == nil && Draft(parsing: []) == nil)
        let signature = try RepositoryFixture.sign(draft, root[0])
        #expect(DraftSignature(parsing: signature.text) == signature && DraftSignature(parsing: draft.bytes) == nil)
        try fixture.scratch.write("draft", draft.bytes)
        try fixture.scratch.write("signature", signature.text)
        #expect(code { _ = try Authority.draft(at: fixture.scratch.path("signature")) } == "draft-malformed")
        #expect(code { _ = try Authority.signature(of: draft, at: fixture.scratch.path("draft")) } == "signature-malformed")
        let other = try authority.draft(.root, now: now + 1)
        #expect(code { _ = try Authority.signature(of: other, at: fixture.scratch.path("signature")) } == "signature-of-other-draft")
    }

    /// Who signs sees what is signed, and not what somebody says of it.
    @Test func aDraftSaysWhatItChanges() throws {
        let (root, targets) = try fixture.makeWithCeremony()
        let first = authority.judge(try authority.draft(.root, now: now)).lines
        #expect(first.contains("root needs 2 of 3 keys") == false && first.contains("  root needs 2 of 3 keys"))
        #expect(first.filter { $0.hasPrefix("+ key of root: ") }.count == 3 && first.contains("the first one"))
        try fixture.sign(.root, root)
        try fixture.sign(.targets, [targets])
        _ = try authority.makeGates(name: "main", now: now)
        let draft = try authority.draft(.targets, now: now)
        let lines = authority.judge(draft).lines
        #expect(lines.filter { $0.hasPrefix("+ gate key ") }.count == 2)
        #expect(!lines.contains { $0.contains("token issuer") }, "the issuer is the same")
        var text = String(decoding: draft.bytes, as: UTF8.self)
        let data = Base64.encode(draft.siteData ?? []), other = Base64.encode((draft.siteData ?? []) + [0])
        text = text.replacing(data, with: other)
        #expect(Draft(parsing: Array(text.utf8)) == nil, "another site's data than what is signed")
    }

    @Test func nobodyCanBeAskedForMoreSignaturesThanThereAreKeys() throws {
        var plan = RepositoryPlan(path: fixture.path)
        plan.keys[.root] = [try publicHalf(.root, at: fixture.key(.root, "a"))]
        #expect(code { _ = try authority.makeRepository(plan, now: now) } == "threshold-too-high", "no key of targets")
        plan.keys[.targets] = [try publicHalf(.targets, at: fixture.key(.targets, "t"))]
        plan.thresholds[.root] = 2
        #expect(code { _ = try authority.makeRepository(plan, now: now) } == "threshold-too-high")
        plan.thresholds[.root] = 1
        plan.keys[.root] = [try SigningKey.generate(.p256).publicKey]
        #expect(code { _ = try authority.makeRepository(plan, now: now) } == "role-key-wrong-curve")
        #expect(code { _ = try fixture.key(.root, "a") } == "key-file-exists")
    }

    // Rotation ----------------------------------------------------------------------------------------

    @Test(arguments: RepositoryRole.allCases)
    func everyRoleGetsNewKeys(role: RepositoryRole) throws {
        try fixture.makeTogether()
        let before = try #require(try authority.signed(role.delegator)).keys(of: role).identifiers
        #expect(try authority.rotate(role, Authority.Rotation(), now: now) != nil)
        let both = try #require(try authority.signed(role.delegator)).keys(of: role).identifiers
        #expect(both.count == 2 && Set(both).isSuperset(of: before))
        _ = try fixture.check()
        var drop = Authority.Rotation()
        drop.dropsOld = true
        #expect(try authority.rotate(role, drop, now: now + 60) != nil)
        let after = try #require(try authority.signed(role.delegator)).keys(of: role).identifiers
        #expect(after.count == 1 && !before.contains(after[0]))
        try fixture.enrol("anna")
        _ = try authority.publish(now: now + 120)
        let found = try fixture.check(at: now + 120)
        #expect(found.state?.version == 2)
        #expect(Set(MetadataFile.signers(in: try #require(try authority.database.metadata(role)))) == (role == .root ? Set(both) : Set(after)))
    }

    /// A key that was stolen goes at once.
    @Test func aStolenKeyIsReplacedInOneStep() throws {
        try fixture.makeTogether()
        let stolen = try #require(try authority.signed(.root)).keys(of: .timestamp).identifiers[0]
        var rotation = Authority.Rotation()
        rotation.removed = [String(stolen.prefix(12))]
        #expect(code { _ = try authority.rotate(.timestamp, rotation, now: now) } == "threshold-too-high", "none would be left")
        _ = try authority.rotate(.timestamp, Authority.Rotation(), now: now)
        _ = try authority.rotate(.timestamp, rotation, now: now)
        #expect(try !#require(try authority.signed(.root)).keys(of: .timestamp).identifiers.contains(stolen))
        #expect(code { _ = try authority.rotate(.timestamp, rotation, now: now) } == "role-key-unknown")
        _ = try fixture.check()
    }

    @Test func keysOfflineComeAndGoBySignature() throws {
        let (root, targets) = try fixture.makeWithCeremony()
        try fixture.sign(.root, root)
        try fixture.sign(.targets, [targets])
        #expect(code { _ = try authority.rotate(.root, Authority.Rotation(), now: now) } == "role-keys-missing")
        let new = try fixture.key(.root, "d")
        var rotation = Authority.Rotation()
        rotation.added = [try publicHalf(.root, at: new)]
        rotation.removed = [try publicHalf(.root, at: root[0]).metadataIdentifier]
        #expect(try authority.rotate(.root, rotation, now: now) == nil, "it has to be drafted")
        #expect(code { try fixture.sign(.root, [root[1], new]) } == "threshold-not-met", "two of the old ones must sign")
        #expect(try fixture.sign(.root, [root[1], root[2]])?.versions[.root] == 2)
        #expect(code { try fixture.sign(.root, [root[0], new]) } == "signature-of-stranger", "the first key is gone")
        #expect(try fixture.sign(.root, [root[1], new])?.versions[.root] == 3)
        #expect(try fixture.check().versions[.root] == 3)
        #expect(try authority.rotate(.people, Authority.Rotation(), now: now) == nil, "targets sign whose keys sign people")
        try fixture.sign(.targets, [targets])
        #expect(try fixture.check().versions[.people] == 2, "signed with both")
    }

    /// Where too few can sign for root, or a thief can, another line of roots begins.
    @Test func aRepositoryThatNobodyCanSignForIsReplaced() throws {
        let (root, targets) = try fixture.makeWithCeremony()
        try fixture.sign(.root, root)
        try fixture.sign(.targets, [targets])
        try fixture.enrol("anna")
        _ = try authority.publish(now: now)
        var plan = RepositoryPlan(path: fixture.scratch.path("repo-2"))
        let fresh = try fixture.key(.root, "d")
        plan.keys = [.root: [try publicHalf(.root, at: fresh)], .targets: [try publicHalf(.targets, at: targets)]]
        #expect(code { _ = try authority.makeRepository(plan, now: now) } == "repository-exists")
        plan.isReplacement = true
        plan.path = fixture.path
        #expect(code { _ = try authority.makeRepository(plan, now: now) } == "repository-exists", "not where gates look for the next root")
        plan.path = fixture.scratch.path("repo-2")
        #expect(try authority.makeRepository(plan, now: now) == nil)
        #expect(code { try fixture.sign(.root, [root[0]]) } == "signature-of-stranger")
        try fixture.sign(.root, [fresh])
        let published = try #require(try fixture.sign(.targets, [targets]))
        #expect(published.versions[.root] == 1 && published.state.epoch == 2)
        let found = try RepositoryCheck.run(plan.path, at: now)
        #expect(found.state?.epoch == 2 && found.versions[.root] == 1)
        #expect(try fixture.scratch.names("site/roles") == [
            "people-1.key", "people-2.key", "snapshot-1.key", "snapshot-2.key", "timestamp-1.key", "timestamp-2.key"
        ], "no key of before signs")
        #expect(throws: AuthorityError.self, "to gates of before it says nothing") {
            try RepositoryCheck.run(plan.path, rootAt: fixture.scratch.path("repo/metadata/1.root.json"), at: now)
        }
    }

    // Timestamps --------------------------------------------------------------------------------------

    @Test func theTimestampIsRefreshedWithoutTheAuthority() throws {
        try fixture.makeTogether()
        let key = fixture.scratch.path("site/roles/timestamp-1.key")
        let refreshed = try TimestampRefresh.run(repositoryAt: fixture.path, keysAt: [key], now: now + 3600)
        #expect(refreshed.version == 2 && refreshed.expires == now + 3600 + 3 * 86_400 && refreshed.snapshot == 1)
        #expect(try fixture.check(at: now + 3 * 86_400).versions[.timestamp] == 2)
        #expect(try authority.refreshTimestamp(now: now + 7200).version == 3)
        #expect(try authority.publish(now: now + 9000).versions[.timestamp] == 4, "above what is there")
        let stranger = try fixture.key(.timestamp, "stranger")
        #expect(code { _ = try TimestampRefresh.run(repositoryAt: fixture.path, keysAt: [stranger], now: now + 9999) } == "threshold-not-met")
        #expect(code { _ = try TimestampRefresh.run(repositoryAt: fixture.path, keysAt: [key], now: now) } == "clock-behind")
        #expect(try fixture.check(at: now + 9000).versions[.timestamp] == 4)
    }

    @Test func anOldRepositoryIsRefusedAndSignedAnewInTime() throws {
        try fixture.makeTogether()
        #expect(code { _ = try fixture.check(at: now + 3 * 86_400) } == "tuf-freeze")
        let later = now + 13 * 86_400
        let published = try authority.publish(now: later)
        #expect(published.changed == [.people, .snapshot, .timestamp] && published.changes == nil)
        #expect(try fixture.check(at: later).versions == [.root: 1, .targets: 1, .people: 2, .snapshot: 2, .timestamp: 2])
        let muchLater = now + 300 * 86_400
        #expect(try authority.publish(now: muchLater).versions == [.root: 2, .targets: 2, .people: 3, .snapshot: 3, .timestamp: 3])
        #expect(try fixture.check(at: muchLater).expires == muchLater + 3 * 86_400)
    }

    @Test func whatIsSoonOverIsSaid() throws {
        let (root, targets) = try fixture.makeWithCeremony()
        try fixture.sign(.root, root)
        #expect(try fixture.sign(.targets, [targets])?.warnings == [])
        _ = try authority.makeGates(name: "main", now: now)
        #expect(try authority.publish(now: now).warnings == [.siteChanged])
        let later = now + 130 * 86_400
        #expect(try authority.publish(now: later).warnings == [.siteChanged, .expires(.targets, at: now + 180 * 86_400)])
    }

    /// What every file says is looked at too, not only by whom it is signed.
    @Test func aCheckFindsWhatGatesWouldRefuseInAFile() throws {
        try fixture.makeTogether()
        try fixture.enrol("anna")
        _ = try authority.publish(now: now)
        let people = try fixture.scratch.names("repo/targets/people").first { $0.hasSuffix(".since-1") }
        let name = "repo/targets/people/\(try #require(people))"
        let whole = try fixture.scratch.bytes(name)
        try fixture.scratch.write(name, Array(whole.dropLast()))
        #expect(code { _ = try fixture.check() } == "tuf-wrong-target-length")
        try fixture.scratch.write(name, Array(whole.dropLast()) + [whole[whole.count - 1] ^ 1])
        #expect(code { _ = try fixture.check() } == "tuf-wrong-target-hash")
        try fixture.scratch.remove(name)
        #expect(code { _ = try fixture.check() } == "tuf-missing-file")
        try fixture.scratch.write(name, whole)
        _ = try fixture.check()
    }

    // Sticks ------------------------------------------------------------------------------------------

    /// A gate that took the copy takes the repository afterwards: its versions are higher.
    @Test func aStickCountsForLongerAndIsBehindTheRepository() throws {
        try fixture.makeTogether()
        try fixture.enrol("anna")
        let stick = fixture.scratch.path("stick")
        let published = try authority.publishStick(to: stick, validSeconds: 45 * 86_400, now: now)
        #expect(published.stick == PublishedRepository.Stick(path: stick, expires: now + 45 * 86_400) && published.changes == 1)
        let later = now + 44 * 86_400
        let carried = try RepositoryCheck.run(stick, rootAt: fixture.scratch.path("repo/metadata/1.root.json"), at: later)
        #expect(carried.expires == now + 45 * 86_400 && carried.state?.version == 2)
        let kept = try fixture.check()
        #expect(kept.expires == now + 3 * 86_400 && kept.state == carried.state && kept.targets == carried.targets)
        for role in [RepositoryRole.people, .snapshot, .timestamp] {
            #expect(try #require(kept.versions[role]) == #require(carried.versions[role]) + 1)
            #expect(published.versions[role] == kept.versions[role])
        }
        #expect(code { _ = try RepositoryCheck.run(stick, at: now + 45 * 86_400) } == "tuf-freeze")
        // A second time, with other people, over the first.
        try fixture.enrol("ben")
        _ = try authority.publishStick(to: stick, validSeconds: 86_400, now: now)
        #expect(try RepositoryCheck.run(stick, at: now).state?.version == 3)
        #expect(code { _ = try authority.publishStick(to: stick, validSeconds: 0, now: now) } == "times-out-of-order")
    }

    /// `publish init` was cut off at any write: who calls it again is told how to go on, and that does it.
    @Test func aRepositoryThatWasBegunIsFinishedByPublish() throws {
        var cuts = 0
        while cuts < 40 {
            let fixture = try RepositoryFixture()
            var left = cuts
            fixture.authority.beforeWriting = RepositoryFolder.Interruption { () throws(AuthorityError) in
                left -= 1
                if left < 0 { throw .noRules }
            }
            let result = code { try fixture.makeTogether() }
            fixture.authority.beforeWriting = RepositoryFolder.Interruption()
            guard result != nil else { break }
            cuts += 1
            #expect(throws: AuthorityError.repository(.begun(path: fixture.path))) { try fixture.makeTogether() }
            _ = try fixture.authority.publish(now: now)
            _ = try fixture.check()
            #expect(throws: AuthorityError.repository(.alreadyThere(path: fixture.path))) { try fixture.makeTogether() }
        }
        #expect((3..<40).contains(cuts))
    }

    @Test func anInterruptedStickLeavesTheRepositoryWhole() throws {
        try fixture.makeTogether()
        for place in 1... {
            try fixture.enrol("person \(place)")
            var left = place
            authority.beforeWriting = RepositoryFolder.Interruption { () throws(AuthorityError) in
                left -= 1
                if left == 0 { throw .noRules }
            }
            let result = code { _ = try authority.publishStick(to: fixture.scratch.path("stick"), validSeconds: 86_400, now: now) }
            authority.beforeWriting = RepositoryFolder.Interruption()
            _ = try fixture.check()
            _ = try authority.publish(now: now)
            _ = try fixture.check()
            guard result != nil else {
                #expect(place > 10)
                break
            }
            #expect(result == "rules-missing")
        }
    }
}
