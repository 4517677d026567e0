import CSQLite
import Credentials
import Foundation
import SiteData
import Testing
import Threads
import Waits

@testable import Storage

/// Changes on a failing disk and through power cuts: the old state or the new one, whole.
@Suite struct RepositoryFaultTests {
    let fixture: TrustFixture
    let office: RepositoryOffice
    let keys: [EnrolledKey]

    init() throws {
        let fixture = try TrustFixture()
        self.fixture = fixture
        keys = try (0..<40).map { try fixture.enrolled($0) }
        office = try RepositoryOffice(keys.map(PublicationRecord.enrolled))
    }

    /// Some keys more, and the first of all gone.
    private func change() throws -> [EnrolledKey] {
        let more = try (100..<110).map { try fixture.enrolled($0) }
        office.publish(more.map(PublicationRecord.enrolled), gone: [RecordKey(enrolled: keys[0].key.thumbprint)])
        return more
    }

    private func has(_ key: EnrolledKey, _ store: TrustStore) throws -> Bool {
        try store.answer(TrustFixture.question(kid: key.keyIdentifier)).enrolled.map(\.key) == [key]
    }

    private func expectOldOrNew(_ store: TrustStore, _ more: [EnrolledKey], old: UInt64) throws {
        let version = try #require(store.status.publication?.version)
        #expect([old, old + 1].contains(version))
        #expect(store.status.setAside == nil)
        #expect(try has(more[3], store) == (version == old + 1))
        #expect(try has(keys[0], store) == (version == old))
        #expect(try has(keys[1], store))
    }

    @Test(arguments: [
        (FaultyFileSystem.Call.write, SQLITE_FULL, StorageError.Kind.diskFull),
        (.write, Int32(bitPattern: UInt32(CSQLITE_IOERR_WRITE)), .inputOutput),
        (.read, Int32(bitPattern: UInt32(CSQLITE_IOERR_READ)), .inputOutput)
    ])
    func changesMayFailAtEveryCall(call: FaultyFileSystem.Call, result: Int32, kind: StorageError.Kind) throws {
        let store = try fixture.open()
        try office.apply(to: store)
        let more = try change()
        #expect(try has(keys[0], store))
        var number = 1
        while true {
            fixture.system.fail([call], at: number, with: result)
            let refusal = try RepositoryOffice.refusal { try office.change(store, from: 1) }
            let injected = fixture.system.heal()
            #expect((refusal == nil) == (injected == 0))
            try expectOldOrNew(store, more, old: 1)
            guard let refusal else { break }
            #expect(refusal == .storage(StorageError(kind, "")))
            #expect(fixture.folder.names == ["trust.db", "trust.floor"])
            number += 1
        }
        #expect(number > 2)
        #expect(store.status.publication?.version == 2)
    }

    /// The first changes, further ones, and a whole in their place.
    @Test func aKillAtEachStepLeavesTheOldOrTheNew() throws {
        let store = try fixture.open()
        try office.apply(to: store)
        for round in 0..<3 {
            let old = office.version
            let more = try change()
            let snapshots = Snapshots(of: fixture.folder)
            fixture.system.watchChanges { snapshots.copy() }
            if round == 2 { try office.apply(to: store) } else { try office.change(store, from: old) }
            snapshots.copy()
            fixture.system.watchChanges(nil)
            #expect(snapshots.copies.count > 3)
            for copy in snapshots.copies { try expectOldOrNew(try TrustStore.open(directory: copy.path), more, old: old) }
            #expect(try TrustStore.open(directory: try #require(snapshots.copies.last).path).status.publication?.version == old + 1)
            // Put it back, so that the next round has something to take away.
            office.publish([.enrolled(keys[0])], gone: more.map { RecordKey(enrolled: $0.key.thumbprint) })
            try office.change(store, from: office.version - 1)
        }
    }

    /// The whole was renamed, and the power went before the changes upon the old one were removed.
    @Test func changesUponAnotherFileArePassedOver() throws {
        let store = try fixture.open()
        try office.apply(to: store)
        let more = try change()
        try office.change(store, from: 1)
        let left = try fixture.folder.bytes("trust.recent.db")
        office.publish(gone: [RecordKey(enrolled: more[3].key.thumbprint)])
        try office.apply(to: store)
        store.close()
        try fixture.folder.write(left, to: "trust.recent.db")
        let again = try fixture.open()
        #expect(again.status.publication?.version == 3 && again.status.setAside == nil)
        #expect(try !has(more[3], again))
        #expect(fixture.folder.names == ["trust.db", "trust.floor"])
    }

    @Test func whatInterruptedChangesLeftIsRemoved() throws {
        let store = try fixture.open()
        try office.apply(to: store)
        for name in ["trust.recent.db.new", "trust.recent.db.new-journal"] { try fixture.folder.write([1, 2, 3], to: name) }
        let more = try change()
        try office.change(store, from: 1)
        #expect(try has(more[0], store))
        #expect(fixture.folder.names == ["trust.db", "trust.floor", "trust.recent.db"])
    }

    /// Without the changes the file below is older than what this gate has had: nothing is granted until the whole is there again.
    @Test(arguments: [0, 5000, -4096]) func damagedChangesAreSetAsideWithTheFileBelow(_ cut: Int) throws {
        let store = try fixture.open()
        try office.apply(to: store)
        _ = try change()
        try office.change(store, from: 1)
        store.close()
        let bytes = try fixture.folder.bytes("trust.recent.db")
        let damaged = cut == 0 ? [] : cut > 0 ? [UInt8](repeating: 0x41, count: cut) : Array(bytes.dropLast(-cut))
        try fixture.folder.write(damaged, to: "trust.recent.db")
        let again = try fixture.open()
        #expect(again.status.state == .absent(StorageError(.corrupt, "")))
        #expect(fixture.folder.names == ["trust.db.corrupt-1", "trust.floor", "trust.recent.db.corrupt-1"])
        #expect(try RepositoryOffice.refusal { try office.change(again, from: 1) } == .wholeNeeded)
        try office.apply(to: again)
        #expect(again.status.publication?.version == 2)
    }

    /// Lost changes are no way back.
    @Test func lostChangesGrantNothing() throws {
        let store = try fixture.open()
        try office.apply(to: store)
        _ = try change()
        try office.change(store, from: 1)
        store.close()
        try FileManager.default.removeItem(atPath: fixture.folder.path("trust.recent.db"))
        #expect(try fixture.open().status.state == .absent(StorageError(.corrupt, "")))
    }

    /// Taps go on while changes are made: somebody who is always there is always found.
    @Test func tapsGoOnMeanwhile() throws {
        let store = try fixture.open()
        try office.apply(to: store)
        let pair = [try fixture.enrolled(500), try fixture.enrolled(501)]
        let always = keys[2]
        let deadline = WaitLimit.deadline
        let tapping = try (0..<3).map { number in
            try Worker(name: "tap-\(number)") {
                repeat {
                    let answer = try? store.answer(TrustFixture.question(kid: always.keyIdentifier))
                    #expect(answer?.enrolled.map(\.key) == [always])
                } while store.generation < 21 && MonotonicTime.milliseconds < deadline
            }
        }
        for round in 0..<20 {
            let have = office.version
            let records = pair.map(PublicationRecord.enrolled)
            if round % 2 == 0 { office.publish(records) } else { office.publish(gone: records.map { RecordKey($0) }) }
            try office.change(store, from: have)
        }
        for worker in tapping { try worker.waitForEnd() }
        #expect(store.generation == 21)
    }
}
