import Credentials
import SiteData
import Testing

@testable import Authority

/// A timer that is content while no gate takes what it publishes.
@Suite("Publishing in vain")
struct GatesCheckTests {
    private static let day: Int64 = 86_400
    let fixture: RepositoryFixture
    var authority: Authority { fixture.authority }

    init() throws { fixture = try RepositoryFixture() }

    private func publishOffline() throws -> (root: [String], targets: String) {
        let keys = try fixture.makeWithCeremony()
        try fixture.sign(.root, Array(keys.root.prefix(2)))
        try fixture.sign(.targets, [keys.targets])
        return keys
    }

    private func refusal(_ body: () throws -> Void) -> AuthorityError? {
        do { try body() } catch { return error as? AuthorityError }
        return nil
    }

    @Test func afterTheEndOfTargetsNobodyIsContent() throws {
        let keys = try publishOffline()
        let end = try #require(try authority.signed(.targets)).expires
        #expect(try authority.publish(now: end - 1).isSoonOver)
        let error = try #require(refusal { _ = try authority.publish(now: end) })
        #expect(error.code == "tuf-freeze")
        #expect(error.message.contains("It was published") && error.message.contains("'draft targets'"))
        #expect(try #require(try authority.signed(.timestamp)).issued == end, "it was published, and gates are told so")
        #expect(refusal { _ = try authority.refreshTimestamp(now: end) }?.code == "tuf-freeze")
        try fixture.sign(.targets, [keys.targets], at: end)
        #expect(try !authority.publish(now: end).isSoonOver)
        _ = try authority.refreshTimestamp(now: end)
    }

    @Test func afterTheEndOfRootNobodyIsContent() throws {
        let keys = try publishOffline()
        let end = try #require(try authority.signed(.root)).expires
        // Targets are signed anew in time, and root is not.
        try fixture.sign(.targets, [keys.targets], at: end - 1)
        #expect(refusal { _ = try authority.publish(now: end) }?.message.contains("'draft root'") ?? false)
    }

    @Test func whoHasToSignIsToldInTime() throws {
        _ = try publishOffline()
        let end = try #require(try authority.signed(.targets)).expires
        #expect(try authority.publish(warnedBefore: 60 * Self.day, now: end - 60 * Self.day + 1).isSoonOver)
        #expect(try !authority.publish(now: end - 30 * Self.day).isSoonOver)
        let near = try authority.publish(now: end - 30 * Self.day + 1)
        #expect(near.isSoonOver && near.warnings == [.expires(.targets, at: end)])
        #expect(try authority.publish(isRehearsal: true, now: end - 30 * Self.day + 1).isSoonOver)
        #expect(try !authority.publish(warnedBefore: Self.day, now: end - Self.day).isSoonOver)
    }

    @Test func whoCanSignItselfIsNotWarned() throws {
        var plan = RepositoryPlan(path: fixture.path)
        plan.isTogether = true
        plan.validSeconds[.targets] = 2 * Self.day
        _ = try authority.makeRepository(plan, now: now)
        #expect(try !authority.publish(now: now + Self.day).isSoonOver)
        #expect(try !authority.publish(now: now + 500 * Self.day).isSoonOver, "all of it is signed anew")
    }

    @Test func aFileThatIsSpoiltIsNotPublishedInSilence() throws {
        try fixture.makeTogether()
        let full = try #require(try fixture.scratch.names("repo/targets/people").first { $0.hasSuffix(".full") })
        var bytes = try fixture.scratch.bytes("repo/targets/people/\(full)")
        bytes[bytes.count / 2] ^= 1
        try fixture.scratch.write("repo/targets/people/\(full)", bytes)
        #expect(refusal { _ = try authority.publish(now: now) }?.code == "tuf-wrong-target-hash")
    }

    // What a rehearsal says ---------------------------------------------------------------------------

    /// With all keys here targets are signed at once: that is what would be done.
    @Test func aRehearsalSaysWhatIsDoneThen() throws {
        try fixture.makeTogether()
        _ = try authority.makeGates(name: "main", now: now)
        try fixture.enrol("anna")
        let before = try fixture.scratch.bytes("repo/metadata/timestamp.json"), names = try fixture.scratch.names("repo/metadata")
        let said = try authority.publish(isRehearsal: true, now: now)
        #expect(said.changed == [.targets, .people, .snapshot, .timestamp] && said.warnings.isEmpty)
        #expect(try fixture.scratch.bytes("repo/metadata/timestamp.json") == before)
        #expect(try fixture.scratch.names("repo/metadata") == names && authority.signed(.targets)?.version == 1)
        #expect(try authority.publish(now: now) == said)
        #expect(try authority.publish(isRehearsal: true, now: now).changed == [.timestamp])
    }

    /// Whoever rehearses before he goes home would find out at night.
    @Test func aRehearsalAfterAnEndSaysThatGatesRefuse() throws {
        let keys = try publishOffline()
        let end = try #require(try authority.signed(.targets)).expires, before = try fixture.scratch.bytes("repo/metadata/timestamp.json")
        #expect(try authority.publish(isRehearsal: true, now: end - 1).isSoonOver)
        let refused = try #require(refusal { _ = try authority.publish(isRehearsal: true, now: end) })
        #expect(refused.code == "tuf-freeze" && refused.message.contains("would be published") && refused.message.contains("'draft targets'"))
        #expect(refusal { _ = try authority.refreshTimestamp(isRehearsal: true, now: end, isClockChecked: true) }?.code == "tuf-freeze")
        #expect(try fixture.scratch.bytes("repo/metadata/timestamp.json") == before)
        let root = try #require(try authority.signed(.root)).expires
        try fixture.sign(.targets, [keys.targets], at: root - 1)
        #expect(refusal { _ = try authority.publish(isRehearsal: true, now: root) }?.message.contains("'draft root'") ?? false)
    }

    /// What people have signed is over sooner, and a new timestamp is worth nothing without it.
    @Test func aRehearsedTimestampSaysThatPeopleAreOver() throws {
        try fixture.makeTogether()
        let end = try #require(try authority.signed(.people)).expires
        _ = try authority.refreshTimestamp(isRehearsal: true, now: end - 1)
        #expect(refusal { _ = try authority.refreshTimestamp(isRehearsal: true, now: end) }?.code == "tuf-freeze")
        #expect(refusal { _ = try authority.refreshTimestamp(now: end) }?.code == "tuf-freeze")
    }

    @Test func keysThatAreMissingAreNamedWithTheirRemedy() throws {
        try fixture.makeTogether()
        for role in [RepositoryRole.snapshot, .root] {
            let file = try #require(try authority.roleKeys().first { $0.role == role }?.file)
            try fixture.scratch.remove("site/\(file)")
        }
        let missing = try #require(refusal { _ = try authority.publish(now: now + 8 * Self.day) })
        #expect(missing.code == "role-keys-missing")
        #expect(missing.message.contains("'rotate snapshot', 'rotate snapshot --drop', then 'draft root'"))
        let offline = RepositoryError.keysMissing(.root).message
        #expect(offline.contains("'role-key --role root'") && offline.contains("'rotate root --add'"))
    }
}
