import Credentials
import CSQLite
import Foundation
import Testing

@testable import Storage

/// A newer program finds the site data of an older one: they answer as before.
@Suite("Site data of schema 1") struct TrustUpgradeTests {
    /// The key that trust-1.sql has enrolled.
    private static let kid: [UInt8] = [0x97, 0xD6, 0xAF, 0xDD, 0x52, 0x68, 0xFF, 0xD6]

    private func old() throws -> TrustFixture {
        let fixture = try TrustFixture()
        try OlderDatabase.run("trust-1", on: "trust.db", in: fixture.folder)
        return fixture
    }

    private func expectAnswers(_ store: TrustStore) throws {
        #expect(store.status.setAside == nil)
        #expect(store.status.publication?.version == 2)
        #expect(store.status.publication?.appliedAt == nil, "the older program did not write it down")
        let carl = try store.answer(TrustFixture.question(kid: Self.kid)).enrolled
        #expect(carl.map(\.key.subject) == ["carl"])
        #expect(carl.map(\.key.userVerification) == [false], "the older program knew of no attested keys")
        #expect(try store.answer(TrustFixture.question([.subject("dora")])).isRevoked)
    }

    @Test func itAnswersAsBeforeAndEndsUpLikeANewOne() throws {
        let fixture = try old()
        let store = try fixture.open(site: "demo")
        try expectAnswers(store)
        store.close()
        let fresh = try TrustFixture()
        let other = try fresh.open()
        try fresh.apply(try fresh.publication([]), to: other)
        #expect(other.status.publication?.appliedAt == TrustFixture.now)
        other.close()
        #expect(try OlderDatabase.schema(of: fixture.folder.path("trust.db")) == OlderDatabase.schema(of: fresh.folder.path("trust.db")))
        #expect(fixture.folder.names == ["trust.db", "trust.floor"])
        try expectAnswers(try fixture.open(site: "demo"))
    }

    /// A gate that took single files goes by a repository now: what it had counts as none, and lies there until a folder is imported.
    @Test func dataOfASingleFileCountAsNoneAtAGateOfARepository() throws {
        let fixture = try old()
        let store = try TrustStore.open(directory: fixture.folder.path, site: "demo", origin: .repository)
        let why = try #require(store.status.absence)
        #expect(why.kind == .noSiteData && why.message.contains("sudo tapstile import FOLDER"))
        #expect(store.status.setAside == nil && fixture.folder.has("trust.db"))
        try fixture.apply(fixture.publication([]), to: store)
        #expect(store.status.publication?.origin == .repository)
    }

    /// A newer program works out once which keys are revoked; a file that an older one made does not say so.
    @Test func keysThatAnOlderProgramKnewAsRevokedStayRevoked() throws {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        let keys = [try fixture.enrolled(1), try fixture.enrolled(2), try fixture.enrolled(3)]
        try fixture.apply(try fixture.publication(keys.map { .enrolled($0) } + [
            .revocation(.subject("person-1")), .revocation(.key(thumbprint: keys[1].key.thumbprint))
        ]), to: store)
        store.close()
        try OlderDatabase.run("trust-11-to-1", on: "trust.db", in: fixture.folder)
        let again = try fixture.open()
        let states = try keys.map { try again.answer(TrustFixture.question(kid: $0.keyIdentifier)).enrolled.map(\.isRevoked) }
        #expect(states == [[true], [true], [false]])
    }

    @Test func thereAndBack() throws {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        try fixture.apply(try fixture.publication([]), to: store)
        store.close()
        try OlderDatabase.run("trust-11-to-1", on: "trust.db", in: fixture.folder)
        let again = try fixture.open()
        #expect(again.status.publication?.version == 1)
        try fixture.apply(try fixture.publication([], version: 2), to: again)
        #expect(again.status.publication?.appliedAt == TrustFixture.now)
    }

    /// The data answer all the same; the next start tries again.
    @Test(arguments: [
        (FaultyFileSystem.Call.write, SQLITE_FULL), (.sync, Int32(bitPattern: UInt32(CSQLITE_IOERR_WRITE))), (.write, SQLITE_READONLY)
    ])
    func everyCallOnTheWayMayFail(call: FaultyFileSystem.Call, result: Int32) throws {
        var number = 1
        while true {
            let fixture = try old()
            fixture.system.fail([call], at: number, with: result)
            do {
                try expectAnswers(try fixture.open())
            } catch let error as StorageError {
                #expect(error.mayPass)
            }
            let injected = fixture.system.heal()
            try expectAnswers(try fixture.open())
            if injected == 0 { break }
            number += 1
        }
        #expect(number > 2)
    }

    @Test func aKillAtEachStepLosesNothing() throws {
        let fixture = try old()
        let snapshots = Snapshots(of: fixture.folder)
        fixture.system.watchChanges { snapshots.copy() }
        _ = try fixture.open()
        fixture.system.watchChanges(nil)
        #expect(snapshots.copies.count > 3)
        #expect(snapshots.copies.contains { $0.has("trust.db-journal") }, "one of them was interrupted in the middle")
        for copy in snapshots.copies {
            try expectAnswers(try TrustStore.open(directory: copy.path))
            #expect(!copy.has("trust.db-journal"))
            #expect(try OlderDatabase.isWhole(copy.path("trust.db")))
        }
    }

    @Test func aNewerOneIsNotTouched() throws {
        let fixture = try old()
        let connection = try SQLiteConnection(path: fixture.folder.path("trust.db"), access: .readWrite, cacheKibibytes: 64)
        try connection.execute("PRAGMA user_version = \(DatabaseSchema.trust.version + 1)")
        let before = try fixture.folder.bytes("trust.db")
        let store = try fixture.open()
        #expect(store.status.state == .absent(StorageError(.newerSchema, "")))
        #expect(try fixture.folder.bytes("trust.db") == before)
    }
}

extension TrustStatus {
    /// Why there are no site data; nil: there are.
    fileprivate var absence: StorageError? {
        if case .absent(let why) = state { why } else { nil }
    }
}
