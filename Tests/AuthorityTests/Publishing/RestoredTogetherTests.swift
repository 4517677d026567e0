import Credentials
import SiteData
import Testing

@testable import Authority

/// Office and repository lay on one disk and were restored from one backup: they agree with one another, and gates know more.
@Suite("An office and its repository of one backup")
struct RestoredTogetherTests {
    let fixture: RepositoryFixture
    let backup: RestoredOfficeTests.Backup
    let files: [String: [UInt8]]
    let published: [String: [UInt8]]

    var authority: Authority { fixture.authority }

    /// Mallory is banned after the backup.
    init() throws {
        fixture = try RepositoryFixture()
        try fixture.scratch.makeFolder("notes")
        fixture.authority.notes = fixture.scratch.path("notes")
        try fixture.makeTogether()
        try fixture.enrol("mallory")
        _ = try fixture.authority.publish(now: now)
        backup = try RestoredOfficeTests.Backup(fixture.authority)
        files = try Self.files(fixture)
        _ = try fixture.authority.ban(subject: "mallory", now: now + 10)
        _ = try fixture.authority.publish(now: now + 10)
        published = try Self.files(fixture)
    }

    private static let folders = ["metadata", "targets/site", "targets/people"]

    private static func files(_ fixture: RepositoryFixture) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for folder in folders {
            for name in try fixture.scratch.names("repo/\(folder)") { files["repo/\(folder)/\(name)"] = try fixture.scratch.bytes("repo/\(folder)/\(name)") }
        }
        return files
    }

    private func put(_ files: [String: [UInt8]]) throws {
        for path in try Self.files(fixture).keys where files[path] == nil { try fixture.scratch.remove(path) }
        for (path, bytes) in files { try fixture.scratch.write(path, bytes) }
    }

    private func restore() throws {
        try backup.restore()
        try put(files)
    }

    private func refusal(_ body: () throws -> Void) -> AuthorityError? {
        do { try body() } catch { return error as? AuthorityError }
        return nil
    }

    private func isBanned() throws -> Bool { try fixture.people().records[RecordKey(.revocation(.subject("mallory")))] != nil }

    /// A timer would be above the gates' versions within hours, and they would take the ban back.
    @Test func theTimerUnRevokesNobody() throws {
        try restore()
        let before = try Self.files(fixture)
        for time in [60, 3_600, 7_200] as [Int64] {
            let refused = try #require(refusal { _ = try authority.publish(now: now + time) })
            #expect(refused.code == "office-restored" && refused.message.contains("copy what the web server gives out"))
        }
        #expect(refusal { _ = try authority.publish(isRehearsal: true, now: now + 60) }?.code == "office-restored")
        #expect(refusal { _ = try authority.refreshTimestamp(now: now + 60) }?.code == "office-restored")
        #expect(refusal { _ = try authority.draft(.targets, now: now + 60) }?.code == "office-restored")
        #expect(refusal { _ = try authority.ceremony(at: fixture.scratch.path("stick"), CeremonyPlan(), now: now + 60) }?.code == "office-restored")
        #expect(refusal { _ = try authority.publish(restored: .repository, now: now + 60) }?.code == "office-restored", "it is not the one that was published")
        #expect(try Self.files(fixture) == before)
    }

    @Test func whatTheWebServerHasMakesItGood() throws {
        try restore()
        #expect(refusal { _ = try authority.publish(now: now + 60) } != nil)
        try put(published)
        guard case .repository(.restored(let office))? = refusal({ _ = try authority.publish(now: now + 120) }) else { Issue.record("it was published"); return }
        #expect(office.letIn.lines == ["'mallory' (banned)"])
        _ = try authority.publish(restored: .repository, now: now + 180)
        #expect(try isBanned())
        _ = try authority.publish(now: now + 240)
        _ = try fixture.check(at: now + 240)
    }

    /// Gates must not be left with versions that nothing is above.
    @Test func whereNobodyHasItAnyMoreVersionsGoAboveAllThatGatesHad() throws {
        let before = try fixture.check(at: now + 10)
        try restore()
        _ = try authority.publish(restored: .office, now: now + 60)
        let after = try fixture.check(at: now + 60)
        for role in [RepositoryRole.people, .snapshot, .timestamp] { #expect(after.versions[role] ?? 0 > before.versions[role] ?? 0, "\(role)") }
        #expect(try #require(after.state).version > #require(before.state).version)
        #expect(try !isBanned(), "a person has said so")
        _ = try authority.publish(now: now + 120)
    }

    /// What is missing is a root: gates take them one by one, and have it.
    @Test func nothingGoesAboveARootThatIsMissing() throws {
        _ = try authority.rotate(.snapshot, Authority.Rotation(), now: now + 20)
        try restore()
        let refused = try #require(refusal { _ = try authority.publish(restored: .office, now: now + 60) })
        #expect(refused.code == "office-restored" && refused.message.contains("2.root.json"))
    }

    @Test func anEpochIsNotForgotten() throws {
        _ = try authority.beginEpoch(now: now + 20)
        let epoch = try #require(try fixture.check(at: now + 20).state).epoch
        try restore()
        _ = try authority.publish(restored: .office, now: now + 60)
        #expect(try #require(try fixture.check(at: now + 60).state).epoch == epoch)
    }

    /// The new machine has the backup, and no note.
    @Test func onAnotherMachineAPersonSaysThatThisIsTheNewest() throws {
        try restore()
        for name in try fixture.scratch.names("notes") { try fixture.scratch.remove("notes/\(name)") }
        let refused = try #require(refusal { _ = try authority.publish(now: now + 60) })
        #expect(refused.code == "office-restored" && refused.message.contains("is of 20"))
        try put(published)
        #expect(refusal { _ = try authority.publish(restored: .repository, now: now + 60) } == nil)
        #expect(try isBanned())
        _ = try authority.publish(now: now + 120)
    }

    // Where there is nothing to see ---------------------------------------------------------------

    @Test func withoutAPlaceForNotesNobodyIsAsked() throws {
        let fixture = try RepositoryFixture()
        fixture.authority.notes = fixture.scratch.path("nowhere")
        try fixture.makeTogether()
        _ = try fixture.authority.publish(now: now + 60)
    }

    @Test func sticksAndNewLinesOfRootsAreNoRestoration() throws {
        _ = try authority.publishStick(to: fixture.scratch.path("stick"), validSeconds: 3_600, now: now + 60)
        _ = try authority.publish(now: now + 120)
        _ = try authority.refreshTimestamp(now: now + 180)
        var plan = RepositoryPlan(path: fixture.scratch.path("other"))
        plan.isTogether = true
        plan.isReplacement = true
        _ = try authority.makeRepository(plan, now: now + 240)
        #expect(try authority.publish(now: now + 300).versions[.timestamp] == 2)
    }

    /// A whole machine that was put back has its old notes too: what gates say is left.
    @Test func gatesThatHaveMoreThanTheOfficeAreFound() throws {
        let state = try #require(try fixture.check(at: now + 10).state)
        func found(_ version: UInt64) throws -> [GateFinding] {
            let status = """
                {"site": "north", "gate": "main", "trust": {"version": \(version), "epoch": \(state.epoch), "generation": 3, "issued": "2100-01-01T00:00:00.000Z"},
                 "journal": {"sequence": 3, "head": "00"}}
                """
            try fixture.scratch.write("status.json", Array(status.utf8))
            return try authority.watch(statusAt: fixture.scratch.path("status.json"), longestSeconds: 60, now: now).findings
        }
        #expect(try found(state.version) == [])
        try authority.forgetWhatIsKnown(ofGate: "main")
        let behind = try found(state.version + 1)
        #expect(behind == [.officeBehind(found: Int64(state.version) + 1, known: Int64(state.version))] && behind[0].code == "office-behind")
    }
}
