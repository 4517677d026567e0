import CSQLite
import Credentials
import Cryptography
import Glibc
import SiteData
import SiteRules
import Testing
import Vocabulary

@testable import Storage

/// Data that a stand-alone gate made from its site's own file: nobody signed them, and the gate itself counts.
@Suite struct SiteFileDataTests {
    private static func person(_ subject: String) throws -> PublicationRecord {
        .enrolled(EnrolledKey(keyIdentifier: [1], key: try SigningKey.generate().publicKey, use: .sign, subject: subject))
    }

    private func open(_ fixture: TrustFixture, _ origin: SiteDataOrigin = .siteFile) throws -> TrustStore {
        try TrustStore.open(directory: fixture.folder.path, site: "hq", origin: origin, fileSystem: fixture.system.name)
    }

    private func apply(_ records: [PublicationRecord], to store: TrustStore, at seconds: Int64 = TrustFixture.now) throws -> TrustPublication? {
        try store.apply(siteFile: records, site: "hq", clock: ClockReading(seconds: seconds, trust: .synchronised))
    }

    @Test func aChangedFileIsANewVersionAndTheSameFileIsNone() throws {
        let fixture = try TrustFixture()
        let store = try open(fixture)
        let anna = try Self.person("anna"), ben = try Self.person("ben")
        let first = try #require(try apply([anna], to: store))
        #expect(first.version == 1 && first.generation == 1 && first.origin == .siteFile)
        #expect(try store.answer(TrustFixture.question(kid: [1])).enrolled.map(\.key.subject) == ["anna"])
        #expect(try apply([anna], to: store) == nil)
        #expect(store.generation == 1)
        let second = try #require(try apply([anna, ben], to: store))
        #expect(second.version == 2 && second.generation == 2)
        store.close()
        let again = try open(fixture)
        #expect(again.status.publication == second)
        #expect(try apply([anna, ben], to: again) == nil, "a start changes nothing")
        #expect(try apply([anna], to: again)?.version == 3, "an older file is no rollback: the installer decides")
    }

    /// The gate's own clock said when. Should it be wrong, it must not be carried there for good.
    @Test func theyMoveNoFloorOfTheClock() throws {
        let fixture = try TrustFixture()
        let store = try open(fixture)
        _ = try apply([try Self.person("anna")], to: store, at: TrustFixture.now + 1_000_000_000)
        #expect(store.status.clockFloor == 0)
        #expect(try store.resetFloor(now: TrustFixture.now) == nil, "nor are they data from the future")
        #expect(store.status.publication != nil)
    }

    @Test func theFloorOfSignedDataStays() throws {
        let fixture = try TrustFixture()
        let signed = try fixture.open()
        try fixture.apply(try fixture.publication([], version: 40), to: signed)
        signed.close()
        unlink(fixture.folder.path("trust.db"))
        let store = try open(fixture)
        #expect(try apply([try Self.person("anna")], to: store)?.version == 1)
        #expect(store.generation == 2, "what is cached of a token is bound to it")
    }

    @Test func whatAnAuthoritySignedIsNeitherUsedNorReplaced() throws {
        let fixture = try TrustFixture()
        let signed = try fixture.open()
        let key = try fixture.enrolled(7)
        try fixture.apply(try fixture.publication([.enrolled(key)], version: 40), to: signed)
        signed.close()
        let store = try open(fixture)
        #expect(try store.answer(TrustFixture.question(kid: TrustFixture.kid(7))) == .absent)
        guard case .absent(let why) = store.status.state else { throw TrustStatusMissing() }
        #expect(why.message.contains("trust.root") && why.message.contains("sudo rm"))
        #expect(throws: ImportError.signedDataThere(version: 40, path: fixture.folder.path("trust.db"))) { try apply([], to: store) }
        store.close()
        #expect(try open(fixture, .repository).status.publication?.version == 40, "they are still there")
    }

    @Test func aGateThatTakesSignedDataDoesNotUseThem() throws {
        let fixture = try TrustFixture()
        let own = try open(fixture)
        for _ in 0..<3 { _ = try apply([try Self.person("anna")], to: own) }
        own.close()
        let store = try open(fixture, .repository)
        #expect(try store.answer(TrustFixture.question(kid: [1])) == .absent)
        #expect(store.status.setAside == nil)
        try fixture.apply(try fixture.publication([], version: 1), to: store)
        #expect(store.status.publication?.version == 1, "the authority counts on its own")
    }

    @Test func everyWriteMayFailAndTheDataInUseStay() throws {
        var number = 1
        while true {
            let fixture = try TrustFixture()
            let store = try open(fixture)
            _ = try apply([try Self.person("anna")], to: store)
            fixture.system.fail([.write], at: number, with: SQLITE_FULL)
            var failed = false
            do { _ = try apply([try Self.person("ben")], to: store) } catch { failed = true }
            let injected = fixture.system.heal()
            #expect(try store.answer(TrustFixture.question(kid: [1])).enrolled.map(\.key.subject) == [failed ? "anna" : "ben"])
            #expect(!fixture.folder.has("trust.db.new"))
            if injected == 0 { break }
            number += 1
        }
        #expect(number > 2)
    }
}

private struct TrustStatusMissing: Error {}
