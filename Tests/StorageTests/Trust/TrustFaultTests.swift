import CSQLite
import Credentials
import Foundation
import Glibc
import SiteData
import Testing

@testable import Storage

/// Damage and a failing disk: nothing is granted that should not be, and the data in use stay.
@Suite struct TrustFaultTests {
    func filled(_ fixture: TrustFixture, version: UInt64 = 3) throws -> EnrolledKey {
        let store = try fixture.open()
        let keys = try (0..<400).map { try fixture.enrolled($0) }
        try fixture.apply(try fixture.publication(keys.map { .enrolled($0) }, version: version), to: store)
        store.close()
        return keys[7]
    }

    static let damages: [(name: String, damage: @Sendable (TemporaryFolder) throws -> Void)] = [
        ("empty", { try $0.write([], to: "trust.db") }),
        ("no database", { try $0.write([UInt8](repeating: 0x41, count: 5000), to: "trust.db") }),
        ("cut", { try $0.write(Array(try $0.bytes("trust.db").dropLast(4096)), to: "trust.db") }),
        ("longer", { try $0.write(try $0.bytes("trust.db") + [UInt8](repeating: 0, count: 4096), to: "trust.db") }),
        ("schema overwritten", { try $0.damage("trust.db", at: 100, with: [UInt8](repeating: 0xff, count: 3900)) }),
        ("another program's", { folder in
            try FileManager.default.removeItem(atPath: folder.path("trust.db"))
            try SQLiteConnection(creating: folder.path("trust.db")).execute("CREATE TABLE birds (name TEXT)")
        }),
        ("older copy", { folder in
            let other = try SQLiteConnection(path: folder.path("trust.db"), access: .readWrite, cacheKibibytes: 64)
            try other.execute("UPDATE publication SET version = 2")
        }),
        ("a time that cannot be", { folder in
            let other = try SQLiteConnection(path: folder.path("trust.db"), access: .readWrite, cacheKibibytes: 64)
            try other.execute("UPDATE publication SET issued_at = 9223372036854775807")
        })
    ]

    @Test(arguments: damages.indices) func aDamagedFileIsSetAsideAndGrantsNothing(index: Int) throws {
        let fixture = try TrustFixture()
        let key = try filled(fixture)
        try Self.damages[index].damage(fixture.folder)
        let damaged = try fixture.folder.bytes("trust.db")

        let store = try fixture.open(site: "hq")
        #expect(store.status.state == .absent(StorageError(.corrupt, "")), "\(Self.damages[index].name)")
        #expect(store.status.setAside == "trust.db.corrupt-1")
        #expect(try fixture.folder.bytes("trust.db.corrupt-1") == damaged)
        #expect(try store.answer(TrustFixture.question(kid: key.keyIdentifier)) == .absent)
        // What was in use is not forgotten with the file: no way back to an older one.
        #expect(fixture.refusal(try fixture.publication([], version: 2), by: store) == .bundle(.rollback(have: 3, given: 2)))
        let applied = try fixture.apply(try fixture.publication([.enrolled(key)], version: 4), to: store)
        #expect(applied.generation == 2)
        #expect(try store.answer(TrustFixture.question(kid: key.keyIdentifier)).enrolled.map(\.key) == [key])
    }

    @Test func aNewerSchemaIsRefusedUntouchedAndKept() throws {
        let fixture = try TrustFixture()
        _ = try filled(fixture)
        let other = try SQLiteConnection(path: fixture.folder.path("trust.db"), access: .readWrite, cacheKibibytes: 64)
        try other.execute("PRAGMA user_version = 99")
        let before = try fixture.folder.bytes("trust.db")
        let store = try fixture.open()
        #expect(store.status.state == .absent(StorageError(.newerSchema, "")))
        #expect(try fixture.folder.bytes("trust.db") == before)
        #expect(try store.answer(TrustFixture.question(kid: [1])) == .absent)
        try fixture.apply(try fixture.publication([], version: 9), to: store)
        #expect(try fixture.folder.bytes("trust.db.newer-1") == before)
        #expect(store.status.publication?.version == 9)
    }

    @Test func damageFoundByATapIsSetAside() throws {
        let fixture = try TrustFixture()
        let key = try filled(fixture)
        // Every page but the first, which the opening reads.
        let size = try fixture.folder.bytes("trust.db").count
        let store = try fixture.open()
        try fixture.folder.damage("trust.db", at: 4096, with: [UInt8](repeating: 0xff, count: size - 4096))
        #expect(try store.answer(TrustFixture.question(kid: key.keyIdentifier)) == .absent)
        #expect(store.status.state == .absent(StorageError(.corrupt, "")))
        #expect(fixture.folder.has("trust.db.corrupt-1"))
        #expect(!fixture.folder.has("trust.db"))
    }

    @Test func aDiskThatCannotReadGrantsNothingAndHeals() throws {
        let fixture = try TrustFixture()
        let key = try filled(fixture)
        let store = try fixture.open()
        fixture.system.fail([.read], at: 1, with: Int32(bitPattern: UInt32(CSQLITE_IOERR_READ)))
        #expect(throws: StorageError(.inputOutput, "")) { try store.answer(TrustFixture.question(kid: key.keyIdentifier)) }
        fixture.system.heal()
        #expect(try store.answer(TrustFixture.question(kid: key.keyIdentifier)).enrolled.map(\.key) == [key])
    }

    /// An import fails at the n-th call to the disk, for every n; the data in use stay and answer.
    @Test(arguments: [
        (FaultyFileSystem.Call.write, SQLITE_FULL, StorageError.Kind.diskFull),
        (.write, Int32(bitPattern: UInt32(CSQLITE_IOERR_WRITE)), .inputOutput),
        (.read, Int32(bitPattern: UInt32(CSQLITE_IOERR_READ)), .inputOutput)
    ])
    func anImportMayFailAtEveryCall(call: FaultyFileSystem.Call, result: Int32, kind: StorageError.Kind) throws {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        let old = try fixture.enrolled(1)
        try fixture.apply(try fixture.publication([.enrolled(old)], version: 1), to: store)
        let keys = try (10..<30).map { try fixture.enrolled($0) }
        let next = try fixture.publication(keys.map { .enrolled($0) }, version: 2)
        // The reader of the old data holds what it needs, so that only the import meets the fault.
        #expect(try store.answer(TrustFixture.question(kid: old.keyIdentifier)).enrolled.map(\.key) == [old])
        var number = 1
        while true {
            fixture.system.fail([call], at: number, with: result)
            let refusal = fixture.refusal(next, by: store)
            let injected = fixture.system.heal()
            #expect((refusal == nil) == (injected == 0))
            guard let refusal else { break }
            #expect(refusal == .storage(StorageError(kind, "")))
            #expect(store.generation == 1)
            #expect(fixture.folder.names == ["trust.db", "trust.floor"])
            #expect(try store.answer(TrustFixture.question(kid: old.keyIdentifier)).enrolled.map(\.key) == [old])
            number += 1
        }
        #expect(number > 2)
        #expect(store.generation == 2)
        #expect(try store.answer(TrustFixture.question(kid: keys[3].keyIdentifier)).enrolled.map(\.key) == [keys[3]])
    }

    @Test func whatAnInterruptedImportLeftIsRemoved() throws {
        let fixture = try TrustFixture()
        _ = try filled(fixture)
        try fixture.folder.write([1, 2, 3], to: "trust.db.new")
        try fixture.folder.write([1, 2, 3], to: "trust.db.new-journal")
        let store = try fixture.open()
        #expect(store.status.publication?.version == 3)
        try fixture.apply(try fixture.publication([], version: 4), to: store)
        #expect(fixture.folder.names == ["trust.db", "trust.floor"])
    }

    /// The new file is in place, so it is what the next start uses; the import has not failed.
    @Test func aFloorThatCannotBeWrittenKeepsNobodyOnTheOldData() throws {
        let fixture = try TrustFixture()
        let store = try fixture.open()
        try fixture.apply(try fixture.publication([], version: 1), to: store)
        let key = try fixture.enrolled(1)
        let next = try fixture.publication([.enrolled(key)], version: 2)
        let path = fixture.folder.path("trust.floor")
        let descriptor = try #require(openDescriptor(of: path))
        try turn(descriptor, to: path, O_RDONLY)
        #expect(try fixture.apply(next, to: store).version == 2)
        #expect(try store.answer(TrustFixture.question(kid: key.keyIdentifier)).enrolled.map(\.key) == [key])
        #expect(store.status.floorFailure == StorageError(.inputOutput, ""))
        #expect(fixture.refusal(try fixture.publication([], version: 1), by: store) == .bundle(.rollback(have: 2, given: 1)))

        try turn(descriptor, to: path, O_RDWR)
        try fixture.apply(next, to: store)
        #expect(store.status.floorFailure == nil)
    }

    @Test func theNextStartFixesTheFloor() throws {
        let fixture = try TrustFixture()
        _ = try filled(fixture, version: 3)
        try fixture.folder.write([], to: "trust.floor")
        let store = try fixture.open()
        #expect(store.status.floorFailure == nil)
        store.close()
        try fixture.folder.write([], to: "trust.db")
        let again = try fixture.open()
        #expect(fixture.refusal(try fixture.publication([], version: 2), by: again) == .bundle(.rollback(have: 3, given: 2)))
    }

    /// The descriptor under which this process has that file open.
    private func openDescriptor(of path: String) -> Int32? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        let name = names.first { (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path }
        return name.flatMap { Int32($0) }
    }

    /// From now on the descriptor stands for the file opened with these flags.
    private func turn(_ descriptor: Int32, to path: String, _ flags: Int32) throws {
        let other = Glibc.open(path, flags)
        try #require(other >= 0 && dup2(other, descriptor) == descriptor)
        Glibc.close(other)
    }

    @Test func withoutItsFloorFileTheDatabaseIsTheFloor() throws {
        let fixture = try TrustFixture()
        _ = try filled(fixture)
        try fixture.folder.write([], to: "trust.floor")
        let store = try fixture.open()
        #expect(fixture.refusal(try fixture.publication([], version: 2), by: store) == .bundle(.rollback(have: 3, given: 2)))
    }
}
