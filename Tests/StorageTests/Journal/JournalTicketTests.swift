import CSQLite
import Testing
import Threads
import Waits

@testable import Storage

/// What a ticket says, and what ends the waits for it.
@Suite struct JournalTicketTests {
    static let full = StorageError(.diskFull, "")

    func waited(_ ticket: JournalTicket, milliseconds: Int64 = Int64(WaitLimit.milliseconds)) -> JournalTicketState {
        ticket.waitUntilDurable(untilMonotonicMilliseconds: MonotonicTime.milliseconds + milliseconds)
    }

    @Test func aTryThatFailsDoesNotEndTheWaitForTheDisk() throws {
        let fixture = try JournalFixture()
        let (journal, _) = try fixture.open()
        fixture.system.fail([.write], at: 1, with: SQLITE_BUSY, times: 3)
        let ticket = journal.append(fixture.attempt())
        #expect(waited(ticket) == .durable(sequence: 1, head: journal.head))
        #expect(fixture.system.heal() == 3)
    }

    @Test func theDeadlineEndsIt() throws {
        let fixture = try JournalFixture()
        let (journal, _) = try fixture.open()
        fixture.system.fail([.write], at: 1, with: SQLITE_FULL)
        let ticket = journal.append(fixture.attempt())
        #expect(ticket.settled() == .failed(Self.full))
        #expect(waited(ticket, milliseconds: 1) == .failed(Self.full))
        #expect(waited(ticket, milliseconds: -1) == .failed(Self.full))
        fixture.system.heal()
        #expect(ticket.durable())
    }

    @Test func aRefusalEndsIt() throws {
        let fixture = try JournalFixture(settings: JournalSettings(maximumWaiting: 1))
        let (journal, _) = try fixture.open()
        fixture.system.fail([.write], at: 1, with: SQLITE_FULL)
        let first = journal.append(fixture.attempt())
        #expect(waited(journal.append(fixture.attempt())) == .refused(StorageError(.queueFull, "")))
        journal.close()
        #expect(waited(first) == .refused(Self.full))
        #expect(waited(journal.append(fixture.attempt())) == .refused(StorageError(.closed, "")))
    }

    /// Damage in a file that holds nothing yet: the error is none that passes, the record is kept all the same.
    @Test func whatIsStillQueuedIsNeverCalledRefused() throws {
        let fixture = try JournalFixture()
        let (journal, _) = try fixture.open()
        fixture.system.fail([.write], at: 1, with: SQLITE_CORRUPT)
        let ticket = journal.append(fixture.outcome(of: nil))
        #expect(ticket.settled() == .failed(StorageError(.corrupt, "")))
        #expect(journal.status.waiting >= 1)
        fixture.system.heal()
        #expect(ticket.durable())
    }

    @Test func theLastWordStays() {
        let ticket = JournalTicket(sequence: 1, partition: .main)
        ticket.settle(.refused(Self.full))
        ticket.settle(.durable(sequence: 1, head: .none))
        #expect(ticket.state == .refused(Self.full))
    }
}
