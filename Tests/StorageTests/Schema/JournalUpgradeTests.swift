import CSQLite
import Foundation
import Testing

@testable import Storage

/// A newer program finds the journal of an older one: nothing is lost, the chains go on.
@Suite("A journal of schema 1") struct JournalUpgradeTests {
    /// What journal-1.sql holds.
    private static let records: UInt64 = 9

    private func old() throws -> JournalFixture {
        let fixture = try JournalFixture()
        try OlderDatabase.run("journal-1", on: "journal.db", in: fixture.folder)
        return fixture
    }

    private func expectWhole(_ journal: Journal) throws {
        for partition in JournalPartition.allCases {
            guard case .intact(first: 1, _) = try journal.verify(partition) else {
                Issue.record("the \(partition.rawValue) chain is broken")
                continue
            }
        }
    }

    @Test func everythingIsKeptAndTheChainGoesOn() throws {
        let fixture = try old()
        let (journal, recovery) = try fixture.open()
        #expect(recovery.upgradedFrom == 1)
        #expect(recovery.isClean)
        #expect(fixture.incidents.withLock { $0 } == [.upgrading(fromSchema: 1)])
        #expect(journal.append(fixture.service("goes on")).durable())
        let kept = try journal.read(from: 1, limit: 100)
        #expect(kept.map(\.sequence) == Array(1...(Self.records + 2)))
        #expect(kept.filter { $0.entry.subject == "anna" }.count == 2)
        #expect(kept.suffix(2).map(\.entry.reason) == ["journal-upgraded", "goes on"])
        try expectWhole(journal)
        journal.close()
        #expect(try DatabaseHeader(Array(fixture.folder.bytes("journal.db").prefix(100)))?.userVersion == DatabaseSchema.journal.version)
        #expect(try fixture.open().recovery.upgradedFrom == nil)
    }

    @Test func itEndsUpLikeANewOne() throws {
        let fixture = try old()
        try fixture.open().journal.close()
        let fresh = try JournalFixture()
        try fresh.open().journal.close()
        #expect(try OlderDatabase.schema(of: fixture.folder.path("journal.db")) == OlderDatabase.schema(of: fresh.folder.path("journal.db")))
    }

    @Test func thereAndBack() throws {
        let fixture = try JournalFixture()
        let first = try fixture.open().journal
        #expect(first.append(fixture.service("kept")).durable())
        first.close()
        try OlderDatabase.run("journal-5-to-1", on: "journal.db", in: fixture.folder)
        let (journal, recovery) = try fixture.open()
        #expect(recovery.upgradedFrom == 1)
        #expect(try journal.read(from: 1, limit: 9).first?.entry.reason == "kept")
        try expectWhole(journal)
    }

    @Test(arguments: [
        (FaultyFileSystem.Call.write, SQLITE_FULL), (.sync, Int32(bitPattern: UInt32(CSQLITE_IOERR_WRITE))), (.write, SQLITE_READONLY),
        (.truncate, Int32(bitPattern: UInt32(CSQLITE_IOERR_WRITE)))
    ])
    func everyCallOnTheWayMayFail(call: FaultyFileSystem.Call, result: Int32) throws {
        var number = 1
        while true {
            let fixture = try old()
            fixture.system.fail([call], at: number, with: result)
            do {
                try fixture.open().journal.close()
            } catch let error as StorageError {
                #expect(error.mayPass)
            }
            let injected = fixture.system.heal()
            let (journal, recovery) = try fixture.open()
            #expect(recovery.setAside == nil && recovery.missingAfter == nil)
            #expect(journal.head.sequence >= Self.records)
            try expectWhole(journal)
            if injected == 0 { break }
            number += 1
        }
    }

    @Test func aKillAtEachStepLosesNothing() throws {
        let fixture = try old()
        let snapshots = Snapshots(of: fixture.folder)
        fixture.system.watchChanges { snapshots.copy() }
        let journal = try fixture.open().journal
        fixture.system.watchChanges(nil)
        journal.close()
        #expect(snapshots.copies.count > 3)
        for copy in snapshots.copies {
            let clock = JournalTime(wallMilliseconds: 0, trust: .untrusted, monotonicMilliseconds: 0)
            let (opened, recovery) = try Journal.open(directory: copy.path, boot: [2], time: { clock })
            #expect(recovery.setAside == nil && recovery.missingAfter == nil)
            #expect(opened.head.sequence >= Self.records)
            try expectWhole(opened)
            opened.close()
            #expect(try OlderDatabase.isWhole(copy.path("journal.db")))
        }
    }

    @Test(arguments: [JournalPartition.main, .unproven])
    func aRareReasonIsFoundByItsIndex(partition: JournalPartition) throws {
        let fixture = try JournalFixture()
        let journal = try fixture.open().journal
        for number in 1...50 {
            let reason = number % 10 == 0 ? "revoked" : "granted"
            #expect(journal.append(fixture.outcome(of: nil, lane: number % 20 == 0 ? "north" : "south", reason: reason)).durable())
        }
        #expect(try journal.read(from: 1, limit: 3, filter: JournalFilter(reason: "revoked")).map(\.sequence) == [10, 20, 30])
        #expect(try journal.read(from: 11, limit: 9, filter: JournalFilter(lane: "north", reason: "revoked")).map(\.sequence) == [20, 40])
        #expect(try journal.read(from: 1, limit: 99, filter: JournalFilter(reason: "granted")).count == 45)
        let connection = try SQLiteConnection(path: fixture.folder.path("journal.db"), access: .readWrite, cacheKibibytes: 64)
        let plan = try connection.prepare(
            "EXPLAIN QUERY PLAN SELECT body FROM \(partition.table) WHERE reason = ?1 AND reason <> 'granted' AND sequence >= ?2 ORDER BY sequence LIMIT 9")
        #expect(try plan.step())
        #expect(plan.text(3).contains("\(partition.table)_by_reason"), "\(plan.text(3))")
    }
}
