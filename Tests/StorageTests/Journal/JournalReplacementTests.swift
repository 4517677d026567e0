import CSQLite
import Foundation
import Testing

@testable import Storage

/// The journal is damaged and the disk does not let a new one be made: nothing waiting is lost, the folder
/// does not fill with files, and what happened is told once.
@Suite struct JournalReplacementTests {
    /// A journal with one record in it.
    func journal(_ fixture: JournalFixture) throws -> Journal {
        let (journal, _) = try fixture.open()
        #expect(journal.append(fixture.service("before")).durable())
        return journal
    }

    func damage(_ fixture: JournalFixture) {
        fixture.system.fail([.write], at: 1, with: SQLITE_CORRUPT, times: 1)
    }

    func setAsides(_ fixture: JournalFixture) -> [JournalSetAside] {
        fixture.incidents.withLock { $0.compactMap { if case .setAside(let aside) = $0 { aside } else { nil } } }
    }

    /// Each of these is a try of the writer's, whatever the pause it is in.
    func tries(_ count: Int, _ journal: Journal, _ fixture: JournalFixture) -> [JournalTicket] {
        (1...count).map { number in
            let ticket = journal.append(fixture.service("try \(number)"))
            guard case .failed = ticket.settled() else {
                Issue.record("try \(number) did not fail: \(ticket.state)")
                return ticket
            }
            return ticket
        }
    }

    func expectContinued(_ journal: Journal, _ fixture: JournalFixture, records: Int) throws {
        let kept = try journal.read(from: 1, limit: 99)
        #expect(kept.map(\.sequence) == Array(2...UInt64(records + 1)))
        #expect(kept.filter { $0.entry.reason == "journal-set-aside" }.count == 1)
        #expect(try journal.verify() == .intact(first: 2, head: journal.head))
        #expect(setAsides(fixture).count == 1)
        journal.close()
        let (again, recovery) = try fixture.open()
        #expect(recovery.isClean)
        #expect(again.head == journal.head)
    }

    @Test func noFileIsLeftForEachTryToMakeANewOne() throws {
        let fixture = try JournalFixture()
        let journal = try journal(fixture)
        // In the way of the new file.
        try FileManager.default.createDirectory(atPath: fixture.folder.path("journal.db.new"), withIntermediateDirectories: false)
        damage(fixture)
        let tickets = tries(5, journal, fixture)
        #expect(fixture.folder.names.filter { $0.hasPrefix("journal.db.corrupt-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
            == ["journal.db.corrupt-1"])
        #expect(!fixture.folder.has("journal.db"))
        #expect(journal.status.setAside?.name == "journal.db.corrupt-1")
        #expect(setAsides(fixture).map(\.name) == ["journal.db.corrupt-1"])
        #expect(journal.status.failure != nil)

        try FileManager.default.removeItem(atPath: fixture.folder.path("journal.db.new"))
        #expect(tickets.allSatisfy { $0.durable() })
        #expect(journal.append(fixture.service("after")).durable())
        #expect(fixture.incidents.withLock { $0 }.last == .recovered)
        try expectContinued(journal, fixture, records: 7)
    }

    @Test func whatCannotBeRenamedIsRenamedLater() throws {
        let fixture = try JournalFixture()
        let journal = try journal(fixture)
        // In the way of the name that the damaged file's log would get.
        let obstacle = fixture.folder.path("journal.db.corrupt-1-wal")
        try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
        damage(fixture)
        let tickets = tries(3, journal, fixture)
        #expect(setAsides(fixture).isEmpty)
        try FileManager.default.removeItem(atPath: obstacle)
        #expect(tickets.allSatisfy { $0.durable() })
        #expect(journal.append(fixture.service("after")).durable())
        try expectContinued(journal, fixture, records: 5)
    }

    /// The n-th call on the way to the new file fails, and those after it, for every n until none does.
    @Test(arguments: FaultyFileSystem.Call.allCases) func everyCallOnTheWayMayFail(call: FaultyFileSystem.Call) throws {
        var number = 1
        while true {
            let fixture = try JournalFixture()
            let journal = try journal(fixture)
            for name in fixture.folder.names where name.hasPrefix("journal.db") {
                try FileManager.default.removeItem(atPath: fixture.folder.path(name))
            }
            fixture.system.fail([call], at: number, with: SQLITE_FULL)
            let ticket = journal.append(fixture.service("waiting"))
            _ = ticket.settled()
            let injected = fixture.system.heal()
            #expect(ticket.durable())
            #expect(journal.append(fixture.service("after")).durable())
            #expect(!fixture.folder.names.contains { $0.contains("corrupt") || $0.contains("new") }, "call \(number)")
            try expectContinued(journal, fixture, records: 3)
            if injected == 0 { break }
            number += 1
        }
        #expect(number > 1 || call == .read || call == .truncate)
    }

    /// A new file that is damaged before it holds anything is made again, not kept.
    @Test func aDiskThatDamagesEveryFileKeepsOnlyTheFirst() throws {
        let fixture = try JournalFixture()
        let journal = try journal(fixture)
        fixture.system.fail([.write], at: 1, with: SQLITE_CORRUPT)
        let tickets = tries(5, journal, fixture)
        #expect(setAsides(fixture).count == 1)
        fixture.system.heal()
        #expect(tickets.allSatisfy { $0.durable() })
        #expect(journal.append(fixture.service("after")).durable())
        #expect(!fixture.folder.has("journal.db.corrupt-2"))
        try expectContinued(journal, fixture, records: 7)
    }

    /// The power goes while the new file is being made: what is half made is no journal.
    @Test func aHalfMadeFileIsNotTakenForTheJournal() throws {
        let fixture = try JournalFixture()
        let first = try journal(fixture)
        first.close()
        try FileManager.default.moveItem(
            atPath: fixture.folder.path("journal.db"), toPath: fixture.folder.path("journal.db.corrupt-1"))
        try fixture.folder.write([], to: "journal.db.new")
        let (journal, recovery) = try fixture.open()
        #expect(recovery.setAside?.continuedFrom == first.head)
        #expect(!fixture.folder.has("journal.db.new"))
        #expect(journal.append(fixture.service("after")).settled() == .durable(sequence: 3, head: journal.head))
    }
}
