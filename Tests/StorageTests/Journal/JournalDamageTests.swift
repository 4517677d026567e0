import CSQLite
import Foundation
import Testing

@testable import Storage

/// A damaged journal is set aside whole, a new one continues the chain, and both are said loudly.
@Suite struct JournalDamageTests {
    func filled(_ fixture: JournalFixture, records: Int = 100) throws -> JournalHead {
        let (journal, _) = try fixture.open()
        for number in 1...records { #expect(journal.append(fixture.service("n\(number)")).durable()) }
        journal.close()
        return journal.head
    }

    /// What damage does to the file.
    static let damages: [(name: String, damage: @Sendable (TemporaryFolder) throws -> Void)] = [
        ("no database", { try $0.write(Array("nothing of the kind".utf8), to: "journal.db") }),
        ("header overwritten", { try $0.damage("journal.db", at: 0, with: [UInt8](repeating: 0xff, count: 100)) }),
        ("schema overwritten", { try $0.damage("journal.db", at: 100, with: [UInt8](repeating: 0xff, count: 3000)) }),
        ("another program's", { folder in
            try FileManager.default.removeItem(atPath: folder.path("journal.db"))
            let other = try SQLiteConnection(creating: folder.path("journal.db"))
            try other.execute("CREATE TABLE birds (name TEXT); PRAGMA user_version = 1; PRAGMA application_id = 7")
        }),
        ("tail changed", { folder in
            let other = try SQLiteConnection(path: folder.path("journal.db"), access: .readWrite, cacheKibibytes: 64)
            try other.execute("UPDATE main_record SET hash = zeroblob(32) WHERE sequence = 99")
        })
    ]

    @Test(arguments: damages.indices) func aDamagedFileIsSetAsideAndContinued(index: Int) throws {
        let fixture = try JournalFixture()
        let head = try filled(fixture)
        try Self.damages[index].damage(fixture.folder)
        let damaged = try fixture.folder.bytes("journal.db")

        let (journal, recovery) = try fixture.open()
        let aside = try #require(recovery.setAside, "\(Self.damages[index].name)")
        #expect(aside.name == "journal.db.corrupt-1")
        #expect(aside.continuedFrom == head)
        #expect(try fixture.folder.bytes("journal.db.corrupt-1") == damaged)
        #expect(journal.append(fixture.service("after")).durable())
        let records = try journal.read(from: 1, limit: 9)
        #expect(records.map(\.sequence) == [101, 102])
        #expect(records.first?.entry.reason == "journal-set-aside")
        #expect(records.first?.entry.detail["file"] == "journal.db.corrupt-1")
        #expect(records.first?.hash == JournalChain.hash(after: head.hash, body: records.first?.body ?? []))
        #expect(try journal.verify() == .intact(first: 101, head: journal.head))
        journal.close()
        #expect(try fixture.open().recovery.isClean)
    }

    @Test func theSecondTimeHasAnotherName() throws {
        let fixture = try JournalFixture()
        for number in 1...3 {
            _ = try filled(fixture, records: 1)
            try fixture.folder.write([1, 2, 3], to: "journal.db")
            #expect(try fixture.open().recovery.setAside?.name == "journal.db.corrupt-\(number)")
        }
    }

    @Test func theLogGoesWithItsDatabase() throws {
        let fixture = try JournalFixture()
        let (journal, _) = try fixture.open()
        #expect(journal.append(fixture.service("only in the log")).durable())
        let copy = try JournalFixture()
        for name in fixture.folder.names { try copy.folder.write(try fixture.folder.bytes(name), to: name) }
        try copy.folder.damage("journal.db", at: 0, with: [0])
        let log = try copy.folder.bytes("journal.db-wal")
        #expect(!log.isEmpty)
        _ = try copy.open()
        #expect(try copy.folder.bytes("journal.db.corrupt-1-wal") == log)
    }

    @Test func withoutAnyMemoryTheChainBeginsAnew() throws {
        let fixture = try JournalFixture()
        _ = try filled(fixture)
        try fixture.folder.write([], to: "journal.head")
        try fixture.folder.write(Array("gone".utf8), to: "journal.db")
        let (journal, recovery) = try fixture.open()
        #expect(recovery.setAside?.continuedFrom == nil)
        #expect(journal.append(fixture.service("after")).settled() == .durable(sequence: 2, head: journal.head))
    }

    @Test func aMissingFileIsToldAndContinued() throws {
        let fixture = try JournalFixture()
        let head = try filled(fixture)
        try FileManager.default.removeItem(atPath: fixture.folder.path("journal.db"))
        let recovery = try fixture.open().recovery
        #expect(recovery.setAside?.name == "")
        #expect(recovery.setAside?.continuedFrom == head)
    }

    @Test func anOlderCopyInItsPlaceIsNoticed() throws {
        let fixture = try JournalFixture()
        _ = try filled(fixture, records: 10)
        let older = try fixture.folder.bytes("journal.db")
        let head = try filled(fixture, records: 10)
        try fixture.folder.write(older, to: "journal.db")
        let (journal, recovery) = try fixture.open()
        #expect(recovery.missingAfter == head)
        #expect(journal.append(fixture.service("after")).durable())
        #expect(try journal.read(from: 11, limit: 1).first?.entry.reason == "journal-records-missing")
    }

    @Test func anotherOneOfTheSameLengthInItsPlaceIsNoticed() throws {
        let fixture = try JournalFixture(), other = try JournalFixture()
        let head = try filled(fixture, records: 10)
        other.clock.withLock { $0 += 1 }
        #expect(try filled(other, records: 10).sequence == head.sequence)
        try fixture.folder.write(try other.folder.bytes("journal.db"), to: "journal.db")
        let (journal, recovery) = try fixture.open()
        #expect(recovery.setAside == nil && recovery.missingAfter == head)
        #expect(journal.append(fixture.service("after")).durable())
        #expect(try journal.read(from: 11, limit: 1).first?.entry.reason == "journal-records-missing")
    }

    /// What a forged anchor would hide is set aside with it.
    @Test func rowsBelowTheAnchorAreNeverShown() throws {
        let fixture = try JournalFixture()
        let (journal, _) = try fixture.open()
        for number in 1...9 { #expect(journal.append(fixture.service("n\(number)")).durable()) }
        try fixture.sql("INSERT INTO anchor SELECT 'main', sequence, hash FROM main_record WHERE sequence = 6")
        #expect(try journal.read(from: 1, limit: 99).map(\.sequence) == [7, 8, 9])
        #expect(try journal.read(from: 1, limit: 99, filter: JournalFilter(reason: "n3")).isEmpty)
        guard case .broken(sequence: 1, _) = try journal.verify() else {
            Issue.record("nobody noticed")
            return
        }
        journal.close()
        let (next, recovery) = try fixture.open()
        #expect(recovery.setAside?.continuedFrom?.sequence == 9)
        next.close()
    }

    @Test func aRecordBehindTheEndIsNeitherShownNorWhole() throws {
        let fixture = try JournalFixture()
        let (journal, _) = try fixture.open()
        for number in 1...3 { #expect(journal.append(fixture.service("n\(number)")).durable()) }
        let previous = try journal.read(from: 3, limit: 1)[0].hash
        try fixture.sql("INSERT INTO main_record SELECT 4, kind, wall, lane, reason, body, hash FROM main_record WHERE sequence = 3")
        _ = try fixture.forge("granted", at: 4, after: previous)
        #expect(try journal.read(from: 1, limit: 9).map(\.sequence) == [1, 2, 3])
        #expect(try journal.verify() == .broken(sequence: 4, why: "the gate has not written it"))
    }

    /// The ring does not turn over between two writings of the small file.
    @Test func anAnchorBehindTheKnownEndIsNoticed() throws {
        let fixture = try JournalFixture()
        let head = try filled(fixture, records: 10)
        try fixture.sql("INSERT INTO anchor VALUES ('main', 12, zeroblob(32)); DELETE FROM main_record")
        #expect(try fixture.open().recovery.missingAfter == head)
    }

    @Test func aNewerSchemaIsRefusedAndUntouched() throws {
        let fixture = try JournalFixture()
        _ = try filled(fixture)
        try fixture.sql("PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)")
        let before = try fixture.folder.bytes("journal.db")
        #expect(throws: StorageError(.newerSchema, "")) { try fixture.open() }
        #expect(try fixture.folder.bytes("journal.db") == before)
        #expect(fixture.folder.names == ["journal.db", "journal.head"])
    }

    @Test func damageFoundInServiceIsSetAsideAndNothingWaitingIsLost() throws {
        let fixture = try JournalFixture()
        let (journal, _) = try fixture.open()
        #expect(journal.append(fixture.attempt("north")).durable())
        for number in 1...20 { #expect(journal.append(fixture.service("n\(number)")).durable()) }
        let head = journal.head, unproven = journal.status.unprovenHead
        fixture.system.fail([.write], at: 1, with: SQLITE_CORRUPT, times: 1)
        let outcome = journal.append(fixture.outcome(of: 1))
        #expect(outcome.durable())
        #expect(journal.append(fixture.service("after")).durable())
        #expect(fixture.folder.has("journal.db.corrupt-1"))
        let records = try journal.read(from: 1, limit: 99)
        #expect(records.map(\.sequence) == [21, 22, 23])
        #expect(records.first?.attempt == fixture.attempt("north"))
        #expect(records.contains { $0.entry.reason == "journal-set-aside" })
        #expect(try journal.verify() == .intact(first: 22 - 1, head: journal.head))
        #expect(fixture.incidents.withLock { $0 }.contains(.setAside(JournalSetAside(
            name: "journal.db.corrupt-1", reason: StorageError(.corrupt, ""), continuedFrom: head, continuedUnproven: unproven))))
        journal.close()
        #expect(try fixture.open().recovery.isClean)
    }

    @Test func aFileRemovedInServiceIsReplaced() throws {
        let fixture = try JournalFixture()
        let (journal, _) = try fixture.open()
        #expect(journal.append(fixture.service("one")).durable())
        for name in fixture.folder.names where name.hasPrefix("journal.db") {
            try FileManager.default.removeItem(atPath: fixture.folder.path(name))
        }
        let ticket = journal.append(fixture.service("two"))
        #expect(ticket.durable())
        #expect(ticket.sequence == 2)
        #expect(try journal.read(from: 2, limit: 1).first?.entry.reason == "two")
        journal.close()
        #expect(try fixture.open().recovery.isClean)
    }
}

extension SQLiteConnection {
    /// A new file that is not ours.
    convenience init(creating path: String) throws {
        try Data().write(to: URL(fileURLWithPath: path))
        try self.init(path: path, access: .readWrite, cacheKibibytes: 64)
    }
}
