import Foundation
import Testing
import Threads
import Waits

@testable import Storage

/// A journal whose schema is not ours is not worked with: neither at the start nor when somebody changes it under the gate.
@Suite struct JournalSchemaTests {
    static let swallow = "CREATE TRIGGER swallow BEFORE INSERT ON main_record BEGIN SELECT RAISE(IGNORE); END"

    @Test func aTriggerThatSwallowsRecordsIsSetAsideAtTheStart() throws {
        let fixture = try JournalFixture()
        let first = try fixture.open().journal
        #expect(first.append(fixture.service("one")).durable())
        first.close()
        try fixture.sql(Self.swallow)
        let (journal, recovery) = try fixture.open()
        #expect(recovery.setAside?.reason == StorageError(.schemaDiffers, ""))
        #expect(recovery.setAside?.continuedFrom == first.head)
        let ticket = journal.append(fixture.service("two"))
        #expect(ticket.durable())
        #expect(try journal.read(from: ticket.sequence, limit: 1).first?.entry.reason == "two")
    }

    /// The gate would believe the record written, and open.
    @Test func aTriggerThatSwallowsRecordsIsNoticedInService() throws {
        let fixture = try JournalFixture()
        let journal = try fixture.open().journal
        #expect(journal.append(fixture.service("one")).durable())
        try fixture.sql(Self.swallow)
        let ticket = journal.append(fixture.service("two"))
        #expect(ticket.durable())
        #expect(try journal.read(from: ticket.sequence, limit: 1).first?.entry.reason == "two")
        #expect(fixture.folder.has("journal.db.corrupt-1"))
        guard case .setAside(let aside)? = fixture.incidents.withLock({ $0 }).first else {
            Issue.record("nobody was told")
            return
        }
        #expect(aside.reason == StorageError(.schemaDiffers, ""))
        journal.close()
        #expect(try fixture.open().recovery.isClean)
    }

    /// Whoever reads notices it, too, and the writer then goes on in another file.
    @Test func aViewInTheTablesPlaceIsNoticedByWhoReads() throws {
        let fixture = try JournalFixture()
        let journal = try fixture.open().journal
        for number in 1...3 { #expect(journal.append(fixture.service("n\(number)")).durable()) }
        #expect(try journal.read(from: 1, limit: 9).count == 3)
        try fixture.sql("ALTER TABLE main_record RENAME TO hidden; CREATE VIEW main_record AS SELECT * FROM hidden WHERE sequence <> 2")
        #expect(throws: StorageError(.schemaDiffers, "")) { try journal.read(from: 1, limit: 9) }
        try waitUntil("the file is set aside") { fixture.folder.has("journal.db.corrupt-1") }
    }

    /// Bytes in the place of a text: no condition finds the record, and the walk does.
    @Test func aValueOfAnotherTypeBreaksTheWalk() throws {
        let fixture = try JournalFixture()
        let journal = try fixture.open().journal
        for number in 1...3 { #expect(journal.append(fixture.service("n\(number)")).durable()) }
        let rows = try JournalRows(.main, of: SQLiteConnection(path: fixture.folder.path("journal.db"), access: .readWrite, cacheKibibytes: 64))
        let row = try #require(try rows.rows(after: 1, limit: 1).first)
        #expect(row.record != nil)
        let untyped = JournalRows.Row(
            sequence: row.sequence, kind: row.kind, wall: row.wall, lane: row.lane, reason: row.reason, body: row.body, hash: row.hash, isTyped: false)
        #expect(untyped.record == nil)
        var walk = ChainWalk(from: JournalHead(sequence: 1, hash: try journal.read(from: 1, limit: 1)[0].hash))
        #expect(walk.step(untyped, in: .main) == "its body does not say what its columns say")
    }

    /// Also while the gate runs: a record that the index lacks is hidden from `--reason`.
    @Test func aRecordThatTheIndexLacksBreaksTheWalk() throws {
        let fixture = try JournalFixture()
        let first = try fixture.open().journal
        for number in 1...3 { #expect(first.append(fixture.service("n\(number)")).durable()) }
        first.close()
        try fixture.sql("""
            DROP INDEX main_record_by_reason;
            CREATE INDEX main_record_by_reason ON main_record (reason) WHERE reason IS NOT NULL AND reason <> 'granted' AND sequence <> 2
            """)
        try fixture.sql("""
            PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET sql = replace(sql, ' AND sequence <> 2', '') WHERE name = 'main_record_by_reason'
            """)
        let (journal, recovery) = try fixture.open()
        #expect(recovery.setAside == nil, "its statement is ours")
        guard case .broken(sequence: 2, _) = try journal.verify() else {
            Issue.record("nobody noticed")
            return
        }
    }
}
