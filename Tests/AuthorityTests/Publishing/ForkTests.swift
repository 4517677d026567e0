import Credentials
import Cryptography
import Encoding
import Foundation
import SiteData
import Testing

@testable import Authority

/// Somebody copied the office's folder to a second machine, and the timers of both publish. Their repositories are uploaded to one place.
@Suite("Two offices on copies of one folder") struct ForkTests {
    let fixture: RepositoryFixture
    let backup: RestoredOfficeTests.Backup

    private var authority: Authority { fixture.authority }

    init() throws {
        fixture = try RepositoryFixture()
        try fixture.makeTogether()
        try fixture.enrol("anna")
        _ = try fixture.authority.publish(now: now)
        backup = try RestoredOfficeTests.Backup(fixture.authority)
    }

    private func copy(_ name: String, to other: String) throws {
        if FileManager.default.fileExists(atPath: fixture.scratch.path(other)) { try fixture.scratch.remove(other) }
        try FileManager.default.copyItem(atPath: fixture.scratch.path(name), toPath: fixture.scratch.path(other))
    }

    /// The first office publishes erin; then this one is the second, which has published frank; and the repository has what the first one uploaded.
    private func fork() throws {
        try copy("repo", to: "common")
        try fixture.enrol("erin")
        _ = try authority.publish(now: now + 10)
        try copy("repo", to: "first")
        try backup.restore()
        try copy("common", to: "repo")
        try fixture.enrol("frank")
        _ = try authority.publish(now: now + 20)
        try copy("first", to: "repo")
    }

    private func timestamp() throws -> [UInt8] { try fixture.scratch.bytes("repo/metadata/timestamp.json") }

    private func subjects() throws -> Set<String> {
        Set(try fixture.people().records.values.map { if case .enrolled(let key) = $0 { key.subject } else { "" } })
    }

    @Test func theSecondOneStopsBeforeItReplacesEverybody() throws {
        try fork()
        let before = try timestamp()
        let refusal = AuthorityError.repository(.forked(version: 3))
        for isRehearsal in [true, false] { #expect(throws: refusal) { try authority.publish(isRehearsal: isRehearsal, now: now + 60) } }
        #expect(throws: refusal) { try authority.refreshTimestamp(now: now + 60) }
        #expect(throws: refusal) { try authority.publishStick(to: fixture.scratch.path("stick"), validSeconds: 60, now: now + 60) }
        #expect(throws: refusal) { try authority.draft(.targets, now: now + 60) }
        #expect(try timestamp() == before)
    }

    @Test(arguments: [RestoredOffice.Choice.office, .repository])
    func whenSomebodyHasDecidedItGoesOn(choice: RestoredOffice.Choice) throws {
        try fork()
        let published = try authority.publish(restored: choice, now: now + 60)
        #expect(published.state.version == 4)
        #expect(try subjects() == ["anna", choice == .office ? "frank" : "erin"])
        // The next one follows on for gates that had the first office's.
        let first = try #require(MetadataFile.signed(in: fixture.scratch.bytes("first/metadata/3.people.json"))?[SignedState.member])
        let member = try #require(try authority.signed(.people)?[SignedState.member])
        #expect(Predecessor(ofState: member) == SignedState(json: first).map { Predecessor($0) })
        _ = try fixture.check(at: now + 60)
        _ = try authority.publish(now: now + 120)
    }

    @Test func eachStateNamesTheOneBefore() throws {
        var before = try #require(SignedState(json: authority.signed(.people)?[SignedState.member]))
        #expect(try Predecessor(ofState: authority.signed(.people)?[SignedState.member])?.version == 1)
        for count in 1...3 {
            try fixture.enrol("person \(count)")
            _ = try authority.publish(now: now + Int64(count) * 60)
            let member = try #require(try authority.signed(.people)?[SignedState.member])
            #expect(Predecessor(ofState: member) == Predecessor(before))
            before = try #require(SignedState(json: member))
        }
    }

    /// An older program made this folder: it has noted nothing of what it published.
    @Test func anUpgradedOfficeStopsAtNothing() throws {
        try authority.database.connection.execute("DELETE FROM told")
        try fixture.enrol("erin")
        _ = try authority.publish(now: now + 60)
        _ = try fixture.check(at: now + 60)
        #expect(try authority.database.connection.integer("SELECT max(version) FROM told WHERE epoch = 1") == 3)
    }
}
