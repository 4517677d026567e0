import CSQLite
import Foundation
import Testing

@testable import Storage

/// The disk refuses: nothing acknowledged is lost, nothing lost is silent, and it heals.
@Suite struct JournalFaultTests {
    static let conditions: [(Int32, StorageError.Kind)] = [
        (SQLITE_FULL, .diskFull), (Int32(bitPattern: UInt32(CSQLITE_IOERR_WRITE)), .inputOutput),
        (SQLITE_READONLY, .readOnly), (SQLITE_BUSY, .busy)
    ]

    /// The n-th write or sync of a run fails, for every n until a run gets through untouched.
    @Test(arguments: conditions) func everyCallMayFail(result: Int32, kind: StorageError.Kind) throws {
        let fixture = try JournalFixture(settings: JournalSettings(maximumRecords: 16))
        let (journal, _) = try fixture.open()
        var written: [String] = []
        var number = 1
        while true {
            fixture.system.fail([.write, .sync], at: number, with: result)
            let names = (0..<20).map { "run \(number) record \($0)" }
            let tickets = names.map { journal.append(fixture.service($0)) }
            written += names
            var sawFailure = false
            for ticket in tickets {
                if case .failed(let error) = ticket.settled() {
                    #expect(error.kind == kind)
                    #expect(error.mayPass)
                    sawFailure = true
                }
            }
            let injected = fixture.system.heal()
            #expect(sawFailure == (injected > 0))
            #expect(tickets.allSatisfy { $0.durable() })
            if injected == 0 { break }
            number += 1
        }
        #expect(number > 3)
        #expect(journal.status.failure == nil)
        #expect(journal.head.sequence == UInt64(written.count))
        let kept = try journal.read(from: 1, limit: 1000)
        #expect(kept.map(\.entry.reason) == written.suffix(kept.count).map { Optional($0) })
        #expect(try journal.verify() == .intact(first: journal.status.firstSequence, head: journal.head))
        let told = fixture.incidents.withLock { $0 }
        #expect(told.filter { $0 == .recovered }.count == number - 1)
        #expect(told.filter { if case .failing(let error) = $0 { error.kind == kind } else { false } }.count == number - 1)
    }

    /// Opening fails at the n-th call, for every n; the failed openings leave nothing behind that hurts.
    @Test(arguments: [FaultyFileSystem.Call.write, .sync, .truncate, .read])
    func openingMayFailAtEveryCall(call: FaultyFileSystem.Call) throws {
        let fixture = try JournalFixture()
        let first = try fixture.open().journal
        for number in 1...50 { #expect(first.append(fixture.service("n\(number)")).durable()) }
        #expect(first.append(fixture.attempt()).durable())
        let head = first.head
        first.close()
        var number = 1
        while true {
            fixture.system.fail([call], at: number, with: SQLITE_FULL)
            let opened = try? fixture.open()
            let injected = fixture.system.heal()
            if let opened {
                #expect(opened.recovery.setAside == nil)
                #expect(opened.recovery.missingAfter == nil)
                #expect(opened.journal.append(fixture.service("run \(number)")).durable())
                #expect(try opened.journal.read(from: head.sequence, limit: 1).first?.hash == head.hash)
                #expect(opened.journal.append(fixture.attempt()).durable())
                guard case .intact = try opened.journal.verify() else {
                    Issue.record("broken after call \(number)")
                    return
                }
                opened.journal.close()
            }
            if injected == 0 { break }
            number += 1
        }
        #expect(fixture.folder.names.allSatisfy { !$0.contains("corrupt") })
    }

    @Test func whatTheDiskRefusesIsTriedAgainWithoutAnotherTap() throws {
        let fixture = try JournalFixture()
        let (journal, _) = try fixture.open()
        fixture.system.fail([.write], at: 1, with: SQLITE_FULL)
        let ticket = journal.append(fixture.outcome(of: nil))
        #expect(ticket.settled() == .failed(StorageError(.diskFull, "")))
        #expect(journal.status.failure == StorageError(.diskFull, ""))
        #expect(journal.status.waiting == 1)
        fixture.system.heal()
        #expect(ticket.durable())
        #expect(journal.status.waiting == 0)
    }

    @Test func aLockedDatabaseRecovers() throws {
        let fixture = try JournalFixture()
        let (journal, _) = try fixture.open()
        #expect(journal.append(fixture.service("one")).durable())
        let other = try SQLiteConnection(path: fixture.folder.path("journal.db"), access: .readWrite, cacheKibibytes: 64)
        try other.execute("BEGIN IMMEDIATE")
        let ticket = journal.append(fixture.service("two"))
        #expect(ticket.settled() == .failed(StorageError(.busy, "")))
        try other.execute("ROLLBACK")
        #expect(ticket.durable())
    }

    @Test func tooManyWaitingAreRefusedCountedAndTold() throws {
        let fixture = try JournalFixture(settings: JournalSettings(maximumWaiting: 10))
        let (journal, _) = try fixture.open()
        fixture.system.fail([.write], at: 1, with: SQLITE_FULL)
        let taken = (0..<10).map { journal.append(fixture.service("n\($0)")) }
        let refused = journal.append(fixture.service("one too many"))
        #expect(refused.state == .refused(StorageError(.queueFull, "")))
        #expect(refused.sequence == 0)
        #expect(journal.status.lost == 1)
        fixture.system.heal()
        #expect(taken.allSatisfy { $0.durable() })
        let after = journal.append(fixture.service("after"))
        #expect(after.durable())
        journal.close()
        let (again, _) = try fixture.open()
        let told = try again.read(from: 1, limit: 99, filter: JournalFilter(reason: "journal-records-lost"))
        #expect(told.map(\.entry.detail) == [["count": 1]])
        #expect(fixture.incidents.withLock { $0 }.contains(.lost(1)))
    }

    @Test func closingWithAFullDiskEnds() throws {
        let fixture = try JournalFixture()
        let (journal, _) = try fixture.open()
        fixture.system.fail([.write, .sync], at: 1, with: SQLITE_FULL)
        let ticket = journal.append(fixture.service("one"))
        journal.close()
        #expect(ticket.state == .refused(StorageError(.diskFull, "")))
        fixture.system.heal()
        #expect(try fixture.open().journal.head == .none)
    }

    @Test func aMissingFolderIsToldByName() {
        #expect(throws: StorageError(.cannotOpen, "")) {
            try Journal.open(
                directory: "/nowhere/at/all", boot: [],
                time: { JournalTime(wallMilliseconds: 0, trust: .untrusted, monotonicMilliseconds: 0) })
        }
    }
}
