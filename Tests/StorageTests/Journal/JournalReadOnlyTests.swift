import Foundation
import Testing
import Waits

@testable import Storage

/// A journal that cannot be written at the start, as on a file system that is mounted for reading and written later.
@Suite struct JournalReadOnlyTests {
    /// A journal with three records that is opened when nobody may write it.
    func unwritable(_ fixture: JournalFixture) throws -> Journal {
        let first = try fixture.open().journal
        for number in 1...3 { #expect(first.append(fixture.service("n\(number)")).durable()) }
        first.close()
        fixture.system.openReadOnly(true)
        let journal = try fixture.open().journal
        guard case .failed(let error) = journal.append(fixture.service("waits")).settled() else {
            Issue.record("it was written")
            return journal
        }
        #expect(error == StorageError(.readOnly, ""))
        return journal
    }

    @Test func aGateThatStartsWithoutWritingRecoversByItself() throws {
        let fixture = try JournalFixture()
        let journal = try unwritable(fixture)
        #expect(journal.status.waiting == 1 && journal.status.failure == StorageError(.readOnly, ""))
        #expect(try journal.read(from: 1, limit: 9).count == 3)
        fixture.system.openReadOnly(false)
        #expect(journal.append(fixture.service("goes on")).durable())
        #expect(try journal.read(from: 4, limit: 9).map(\.entry.reason) == ["waits", "goes on"])
        try waitUntil("it is told") { fixture.incidents.withLock { $0 } == [.failing(StorageError(.readOnly, "")), .recovered] }
        #expect(try journal.verify() == .intact(first: 1, head: journal.head))
        journal.close()
        #expect(try fixture.open().recovery.isClean)
    }

    /// Nobody taps: the tries go on by themselves.
    @Test func whatWaitsIsWrittenWithoutAnotherRecord() throws {
        let fixture = try JournalFixture()
        let first = try fixture.open().journal
        first.close()
        fixture.system.openReadOnly(true)
        let journal = try fixture.open().journal
        let ticket = journal.append(fixture.service("waits"))
        guard case .failed = ticket.settled() else {
            Issue.record("it was written")
            return
        }
        fixture.system.openReadOnly(false)
        #expect(ticket.durable())
    }

    @Test func anotherJournalInItsPlaceMeanwhileIsSetAside() throws {
        let fixture = try JournalFixture(), other = try JournalFixture()
        let journal = try unwritable(fixture)
        let stranger = try other.open().journal
        for number in 1...3 { #expect(stranger.append(other.service("m\(number)")).durable()) }
        stranger.close()
        try FileManager.default.removeItem(atPath: fixture.folder.path("journal.db"))
        try fixture.folder.write(try other.folder.bytes("journal.db"), to: "journal.db")
        fixture.system.openReadOnly(false)
        #expect(journal.append(fixture.service("goes on")).durable())
        #expect(fixture.folder.has("journal.db.corrupt-1"))
        #expect(try journal.verify() == .intact(first: 4, head: journal.head))
    }

    @Test func aJournalThatIsGoneMeanwhileIsContinued() throws {
        let fixture = try JournalFixture()
        let journal = try unwritable(fixture)
        try FileManager.default.removeItem(atPath: fixture.folder.path("journal.db"))
        fixture.system.openReadOnly(false)
        #expect(journal.append(fixture.service("goes on")).durable())
        #expect(try journal.read(from: 1, limit: 9).first?.sequence == 4)
    }
}
