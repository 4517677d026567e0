import Credentials
import Cryptography
import Encoding
import Foundation
import Testing
import Vocabulary
import Waits

@testable import Storage

@Suite struct JournalTests {
    @Test func aTapIsReadBackAsItWasWritten() throws {
        let fixture = try JournalFixture()
        let (journal, recovery) = try fixture.open()
        #expect(recovery.isClean)
        let attempt = journal.append(fixture.attempt())
        #expect(attempt.settled() == .durable(sequence: 1, head: .none))
        let ticket = journal.append(fixture.outcome(of: attempt.sequence))
        #expect(ticket.settled() == .durable(sequence: 1, head: journal.head))

        let records = try journal.read(from: 1, limit: 10)
        let record = try #require(records.first)
        #expect(records.count == 1)
        #expect(record.entry == fixture.outcome(of: 1))
        #expect(record.attempt == fixture.attempt())
        #expect(record.boot == fixture.boot)
        #expect(record.hash == SHA256.hash(JournalHead.none.hash + record.body))
        #expect(try CBOR.decode(record.body).encoded == record.body)

        let attempts = try journal.read(from: 1, limit: 10, filter: JournalFilter(partition: .unproven))
        #expect(attempts.map(\.entry) == [fixture.attempt()])
    }

    /// A card of flash wears out by what is written to it. A commit writes whole pages.
    @Test func aTapWritesLittleMoreThanItsRecords() throws {
        let fixture = try JournalFixture()
        let (journal, _) = try fixture.open()
        let before = try fixture.folder.bytes("journal.db-wal").count
        try fixture.tap(journal, 100)
        let written = try fixture.folder.bytes("journal.db-wal").count - before
        #expect(written > 0 && written / 100 < 7000)
    }

    /// The ring of a gate in service is full: each record that comes lets an old one go.
    @Test func aTapWritesHardlyMoreWhereTheRingIsFull() throws {
        let fixture = try JournalFixture(settings: JournalSettings(maximumRecords: 256, maximumUnprovenRecords: 256))
        let (journal, _) = try fixture.open()
        try fixture.tap(journal, 300)
        let before = try fixture.folder.bytes("journal.db-wal").count
        try fixture.tap(journal, 160)
        let written = try fixture.folder.bytes("journal.db-wal").count - before
        #expect(written > 0 && written / 160 < 7500)
    }

    @Test func aJournalWithLargerPagesKeepsThem() throws {
        let fixture = try JournalFixture()
        try fixture.open().journal.close()
        let path = fixture.folder.path("journal.db")
        let old = try SQLiteConnection(path: path, access: .readWrite, cacheKibibytes: 64)
        try old.execute("PRAGMA journal_mode = DELETE; PRAGMA page_size = 4096; VACUUM")
        #expect(try old.integer("PRAGMA page_size") == 4096)
        let (journal, recovery) = try fixture.open()
        #expect(recovery.isClean)
        #expect(journal.append(fixture.service("goes on")).durable())
        journal.close()
        #expect(try DatabaseHeader(Array(fixture.folder.bytes("journal.db").prefix(100)))?.pageSize == 4096)
        #expect(try fixture.open().journal.read(from: 1, limit: 9).map(\.entry.reason) == ["goes on"])
    }

    @Test func theSequenceHasNoGapsAndTheChainVerifies() throws {
        let fixture = try JournalFixture()
        let (journal, _) = try fixture.open()
        let tickets = (1...2000).map { journal.append(fixture.service("n\($0)")) }
        #expect(tickets.allSatisfy { $0.durable() })
        #expect(tickets.map(\.sequence) == Array(1...2000))
        #expect(try journal.read(from: 1, limit: 5000).map(\.sequence) == Array(1...2000))
        #expect(try journal.verify() == .intact(first: 1, head: journal.head))
        #expect(journal.status.count == 2000)
    }

    @Test func aRecordComesWithTheHashThatItFollowsFrom() throws {
        let fixture = try JournalFixture()
        let (journal, _) = try fixture.open()
        #expect(try journal.chained(1) == nil)
        let tickets = (1...3).map { journal.append(fixture.service("n\($0)")) }
        #expect(tickets.allSatisfy { $0.durable() })
        let records = try journal.read(from: 1, limit: 3)
        #expect(try journal.chained(1) == ChainedRecord(record: records[0], previous: JournalHead.none.hash))
        #expect(try journal.chained(3) == ChainedRecord(record: records[2], previous: records[1].hash))
        for sequence: UInt64 in [0, 4, .max] { #expect(try journal.chained(sequence) == nil) }
    }

    /// The machine's own reading is kept where it does not count; programs that do not know of it take it for a detail.
    @Test func theMachinesOwnReadingIsKept() throws {
        let fixture = try JournalFixture()
        let (journal, _) = try fixture.open()
        var entry = fixture.service("behind the floor")
        entry.time.machineMilliseconds = 1_000
        entry.time.trust = .untrusted
        #expect(journal.append(entry).durable())
        let record = try journal.read(from: 1, limit: 1)[0]
        #expect(record.entry == entry)
        #expect(record.json["machine"] == "1970-01-01T00:00:01.000Z" && record.json["clock"] == "untrusted")
        #expect(record.json["monotonic"] == .integer(entry.time.monotonicMilliseconds) && record.json["boot"] == .string(Hex.encode(fixture.boot)))
        #expect(record.json["detail"] == nil)
        #expect(try CBOR.decode(record.body).map?[18]?.map?["machine-clock"] == 1_000)
        #expect(try CBOR.decode(record.body).map?.entries.allSatisfy { $0.key.unsignedInteger ?? 99 < 20 } == true)
    }

    /// Also when the record before it was let go, or changed.
    @Test func theOldestRecordFollowsFromTheAnchor() throws {
        let fixture = try JournalFixture()
        let (journal, _) = try fixture.open()
        let tickets = (1...3).map { journal.append(fixture.service("n\($0)")) }
        #expect(tickets.allSatisfy { $0.durable() })
        let records = try journal.read(from: 1, limit: 3)
        try fixture.sql("UPDATE main_record SET hash = zeroblob(32) WHERE sequence = 2")
        #expect(throws: StorageError(.recordDamaged, "")) { try journal.chained(3) }
        #expect(throws: StorageError(.recordDamaged, "")) { try journal.chained(2) }
        try fixture.sql("DELETE FROM main_record WHERE sequence <= 2")
        let hash = Hex.encode(records[1].hash)
        try fixture.sql("INSERT OR REPLACE INTO anchor (partition, sequence, hash) VALUES ('main', 2, x'\(hash)')")
        #expect(try journal.chained(2) == nil)
        #expect(try journal.chained(3) == ChainedRecord(record: records[2], previous: records[1].hash))
    }

    @Test func aChainIsWalkedInStretches() throws {
        let fixture = try JournalFixture()
        let (journal, _) = try fixture.open()
        let tickets = (1...1200).map { journal.append(fixture.service("n\($0)")) }
        #expect(tickets.allSatisfy { $0.durable() })
        let hash = try journal.read(from: 500, limit: 1)[0].hash
        let first = try journal.walk(.main, after: nil, limit: 1)
        #expect(first.found == .intact(first: 1, head: JournalHead(sequence: 500, hash: hash)) && !first.isAtEnd && first.start == .none)
        let rest = try journal.walk(.main, after: JournalHead(sequence: 500, hash: hash), limit: 5000)
        #expect(rest.found == .intact(first: 501, head: journal.head) && rest.isAtEnd)
        let nothing = try journal.walk(.main, after: journal.head, limit: 5000)
        #expect(nothing.found == .intact(first: 1201, head: journal.head) && nothing.isAtEnd)
        let other = JournalHead(sequence: 500, hash: [UInt8](repeating: 7, count: 32))
        guard case .broken(sequence: 501, _) = try journal.walk(.main, after: other, limit: 5000).found else {
            Issue.record("the hash of the stretch before is not looked at")
            return
        }
    }

    /// Hash by hash it is a whole chain; only the gate knows with which hash its own ended.
    @Test func aTailThatIsWrittenAnewInServiceIsNoticed() throws {
        let fixture = try JournalFixture()
        let (journal, _) = try fixture.open()
        let tickets = (1...5).map { journal.append(fixture.service("n\($0)")) }
        #expect(tickets.allSatisfy { $0.durable() })
        let fourth = try fixture.forge("forged", at: 4, after: journal.read(from: 3, limit: 1)[0].hash)
        _ = try fixture.forge("n5", at: 5, after: fourth)
        #expect(try journal.verify() == .broken(sequence: 5, why: "its hash is not that of the durable head"))
    }

    /// A tap appends a record while a walk is on its way to the end that it began with.
    @Test func aDeletedTailIsMissedAlsoWhereTheJournalHasGrown() throws {
        let fixture = try JournalFixture()
        let (journal, _) = try fixture.open()
        let tickets = (1...6).map { journal.append(fixture.service("n\($0)")) }
        #expect(tickets.allSatisfy { $0.durable() })
        try fixture.sql("DELETE FROM main_record WHERE sequence BETWEEN 3 AND 5")
        let path = fixture.folder.path("journal.db")
        let reader = try JournalReader(SQLiteConnection(path: path, access: .readWrite, cacheKibibytes: 64))
        var walk = ChainWalk(from: .none)
        // Twice: what the walk can go along comes first.
        let found = try (0..<2).compactMap { _ in try reader.walk(&walk, in: .main, to: 5, limit: 500) }
        #expect(walk.position.sequence == 2)
        #expect(found.first == .broken(sequence: 6, why: "record 3 is missing"))
    }

    @Test func theChainGoesOnAfterReopening() throws {
        let fixture = try JournalFixture()
        let first = try fixture.open().journal
        #expect(first.append(fixture.service("start")).durable())
        let head = first.head
        first.close()
        let (second, recovery) = try fixture.open()
        #expect(recovery.isClean)
        #expect(second.head == head)
        #expect(second.append(fixture.service("again")).settled() == .durable(sequence: 2, head: second.head))
        #expect(try second.verify() == .intact(first: 1, head: second.head))
    }

    @Test func filtersChooseRecords() throws {
        let fixture = try JournalFixture()
        let (journal, _) = try fixture.open()
        for number in 0..<10 {
            fixture.clock.withLock { $0 = Int64(number) * 1000 }
            let lane = number % 2 == 0 ? "north" : "south"
            let reason = number % 3 == 0 ? "expired" : "granted"
            #expect(journal.append(fixture.outcome(of: nil, lane: lane, reason: reason)).durable())
        }
        #expect(try journal.read(from: 1, limit: 99, filter: JournalFilter(lane: "south")).map(\.sequence) == [2, 4, 6, 8, 10])
        #expect(try journal.read(from: 1, limit: 99, filter: JournalFilter(reason: "expired")).map(\.sequence) == [1, 4, 7, 10])
        #expect(try journal.read(from: 4, limit: 2, filter: JournalFilter(lane: "north")).map(\.sequence) == [5, 7])
        let since = JournalFilter(sinceMilliseconds: 1_767_225_600_000 + 8000)
        #expect(try journal.read(from: 1, limit: 99, filter: since).map(\.sequence) == [9, 10])
        #expect(try journal.read(from: 11, limit: 99).isEmpty)
    }

    @Test func aTicketIsDurableOnlyAfterTheLogWasSynced() throws {
        let fixture = try JournalFixture()
        let (journal, _) = try fixture.open()
        for number in 1...20 {
            let before = fixture.system.syncCount("journal.db-wal")
            #expect(journal.append(fixture.service("n\(number)")).durable())
            #expect(fixture.system.syncCount("journal.db-wal") > before)
        }
    }

    @Test func aWaitIsBounded() throws {
        let fixture = try JournalFixture()
        let (journal, _) = try fixture.open()
        let held = DispatchSemaphore(value: 0)
        fixture.system.watchSyncs { _ in held.hold("the disk") }
        let ticket = journal.append(fixture.service("slow"))
        #expect(ticket.wait(milliseconds: 3) == .pending)
        #expect(ticket.wait(milliseconds: 0) == .pending)
        #expect(ticket.wait(untilMonotonicMilliseconds: 0) == .pending)
        fixture.system.watchSyncs { _ in }
        held.signal()
        #expect(ticket.settled() == .durable(sequence: 1, head: journal.head))
    }

    @Test func recordsThatComeWhileTheDiskIsBusyAreCommittedTogether() throws {
        let fixture = try JournalFixture()
        let (journal, _) = try fixture.open()
        #expect(journal.append(fixture.service("the log's header has a sync of its own")).durable())
        let entered = DispatchSemaphore(value: 0)
        let held = DispatchSemaphore(value: 0)
        fixture.system.watchSyncs { _ in
            entered.signal()
            held.hold("the disk")
        }
        let first = journal.append(fixture.service("first"))
        try entered.wait(for: "the first sync")
        fixture.system.watchSyncs { _ in }
        let rest = (0..<100).map { journal.append(fixture.service("n\($0)")) }
        let before = fixture.system.syncCount("journal.db-wal")
        held.signal()
        #expect(first.durable())
        #expect(rest.allSatisfy { $0.durable() })
        #expect(fixture.system.syncCount("journal.db-wal") == before + 1)
    }

    @Test func anOpenAttemptIsClosedAtTheNextStart() throws {
        let fixture = try JournalFixture()
        let first = try fixture.open().journal
        let finished = first.append(fixture.attempt("north"))
        #expect(first.append(fixture.outcome(of: finished.sequence)).durable())
        #expect(first.append(fixture.attempt("north")).durable())
        #expect(first.append(fixture.attempt("south")).durable())
        first.close()

        let (second, recovery) = try fixture.open()
        #expect(recovery == JournalRecovery(closedAttempts: 2, setAside: nil, missingAfter: nil))
        #expect(second.append(fixture.service("after")).durable())
        let unknown = try second.read(from: 1, limit: 9, filter: JournalFilter(reason: "outcome-unknown"))
        #expect(unknown.map(\.entry.lane) == ["north", "south"])
        #expect(unknown.map(\.entry.attempt) == [2, 3])
        #expect(unknown.map(\.attempt) == [fixture.attempt("north"), fixture.attempt("south")])
        second.close()
        #expect(try fixture.open().recovery.isClean)
    }

    @Test func theRingLetsTheOldestGoAndStillVerifies() throws {
        let fixture = try JournalFixture(settings: JournalSettings(maximumRecords: 160, maximumUnprovenRecords: 16))
        let (journal, _) = try fixture.open()
        for number in 1...500 {
            let attempt = journal.append(fixture.attempt())
            #expect(journal.append(fixture.outcome(of: attempt.sequence, subject: "n\(number)")).durable())
            #expect(journal.status.count <= 170)
        }
        #expect(journal.status.count >= 160)
        let records = try journal.read(from: 1, limit: 1000)
        #expect(records.count == journal.status.count)
        #expect(records.first?.sequence == journal.status.firstSequence)
        #expect(records.last?.entry.subject == "n500")
        #expect(try journal.verify() == .intact(first: journal.status.firstSequence, head: journal.head))
        #expect(try journal.read(from: 1, limit: 99, filter: JournalFilter(partition: .unproven)).count <= 17)
        let head = journal.head
        journal.close()
        let (again, recovery) = try fixture.open()
        #expect(recovery.isClean)
        #expect(again.head == head)
        #expect(try again.verify(.unproven) == .intact(first: 485, head: again.status.unprovenHead))
    }

    @Test func aChangedRecordIsFound() throws {
        let fixture = try JournalFixture()
        let (journal, _) = try fixture.open()
        for number in 1...200 { #expect(journal.append(fixture.service("n\(number)")).durable()) }
        try fixture.sql("UPDATE main_record SET body = CAST(body || x'00' AS BLOB) WHERE sequence = 100")
        #expect(try journal.verify() == .broken(sequence: 100, why: "its hash does not follow from the record before it"))
    }

    @Test func aChangedColumnIsFound() throws {
        let fixture = try JournalFixture()
        let (journal, _) = try fixture.open()
        for number in 1...3 { #expect(journal.append(fixture.service("n\(number)")).durable()) }
        try fixture.sql("UPDATE main_record SET lane = 'other' WHERE sequence = 2")
        #expect(try journal.verify() == .broken(sequence: 2, why: "its body does not say what its columns say"))
        #expect(throws: StorageError(.recordDamaged, "")) { try journal.read(from: 1, limit: 9) }
    }

    @Test(arguments: [1, 100, 200]) func aRemovedRecordIsFound(sequence: Int) throws {
        let fixture = try JournalFixture()
        let (journal, _) = try fixture.open()
        for number in 1...200 { #expect(journal.append(fixture.service("n\(number)")).durable()) }
        try fixture.sql("DELETE FROM main_record WHERE sequence = \(sequence)")
        guard case .broken(_, let why) = try journal.verify() else {
            Issue.record("a removed record went unnoticed")
            return
        }
        #expect(why.contains("missing"))
    }

    @Test func oneProcessAtATime() throws {
        let fixture = try JournalFixture()
        let (journal, _) = try fixture.open()
        #expect(throws: StorageError(.inUse, "")) { try fixture.open() }
        journal.close()
    }

    @Test func aRecordThatIsTooLargeIsRefusedAtOnce() throws {
        let fixture = try JournalFixture()
        let (journal, _) = try fixture.open()
        var large = fixture.service("large")
        large.evidence = [UInt8](repeating: 0, count: 10_000)
        #expect(journal.append(large).state == .refused(StorageError(.entryTooLarge, "")))
        #expect(journal.append(fixture.service("small")).settled() == .durable(sequence: 1, head: journal.head))
    }

    @Test func aClosedJournalRefuses() throws {
        let fixture = try JournalFixture()
        let (journal, _) = try fixture.open()
        let last = journal.append(fixture.service("last"))
        journal.close()
        #expect(last.isDurable)
        #expect(journal.append(fixture.service("late")).state == .refused(StorageError(.closed, "")))
        journal.close()
    }

    @Test func filesAreNotForOthers() throws {
        let fixture = try JournalFixture()
        let (journal, _) = try fixture.open()
        #expect(journal.append(fixture.service("one")).durable())
        for name in fixture.folder.names { #expect(try fixture.folder.mode(name) & 0o137 == 0, "\(name)") }
        #expect(fixture.folder.names == ["journal.db", "journal.db-shm", "journal.db-wal", "journal.head"])
    }

    @Test func theClocksTrustIsKept() throws {
        let fixture = try JournalFixture()
        let (journal, _) = try fixture.open()
        let trusts: [ClockTrust] = [.synchronised, .holdover(ageSeconds: 3600), .untrusted]
        for trust in trusts {
            var entry = fixture.service("clock")
            entry.time.trust = trust
            #expect(journal.append(entry).durable())
        }
        #expect(try journal.read(from: 1, limit: 9).map(\.entry.time.trust) == trusts)
    }
}
