import CSQLite
import Testing
import Threads
import Waits

@testable import Storage

/// A disk that does not answer gives no error: it is told all the same, and nobody waits for it for ever.
@Suite struct JournalHangTests {
    static let slow = JournalIncident.failing(StorageError(.slow, ""))

    /// Waits until that has been told.
    func report(
        _ fixture: JournalFixture, _ what: String, fileID: String = #fileID, line: Int = #line,
        _ wanted: ([JournalIncident]) -> Bool
    ) throws {
        try fixture.incidents.wait(for: what, fileID: fileID, line: line) { wanted($0) ? () : nil }
    }

    func fixture() throws -> JournalFixture {
        try JournalFixture(settings: JournalSettings(slowMilliseconds: 30, closeMilliseconds: 30))
    }

    @Test func aHangingDiskIsToldUntilItAnswers() throws {
        let fixture = try fixture()
        let (journal, _) = try fixture.open()
        fixture.system.hang([.sync])
        let ticket = journal.append(fixture.attempt())
        try report(fixture, "the disk to be slow") { $0.last == Self.slow }
        #expect(journal.status.failure == StorageError(.slow, ""))
        #expect(ticket.state == .pending)
        fixture.system.answer()
        #expect(ticket.durable())
        try report(fixture, "the disk to have recovered") { $0.last == .recovered }
        #expect(journal.append(fixture.attempt()).durable())
        try report(fixture, "the disk to have recovered") { $0.last == .recovered }
        // A busy machine may have been slow once more, but each time ends.
        let all = fixture.incidents.withLock { $0 }
        #expect(all == (0..<all.count).map { $0.isMultiple(of: 2) ? Self.slow : .recovered })
        #expect(journal.status.failure == nil || journal.status.failure?.kind == .slow)
    }

    /// Whoever waits for all records waits neither for ever nor too short.
    @Test func settlingEndsWithTheDiskOrTheBound() throws {
        let fixture = try JournalFixture()
        let (journal, _) = try fixture.open()
        journal.settle(milliseconds: WaitLimit.milliseconds)
        fixture.system.hang([.sync])
        let tickets = (0..<3).map { _ in journal.append(fixture.attempt()) }
        journal.settle(milliseconds: 30)
        #expect(tickets.map(\.state) == [.pending, .pending, .pending])
        fixture.system.answer()
        journal.settle(milliseconds: WaitLimit.milliseconds)
        #expect(tickets.map(\.isDurable) == [true, true, true])
    }

    @Test func aHangThatEndsInAnErrorIsOverWhenWritingWorks() throws {
        let fixture = try fixture()
        let (journal, _) = try fixture.open()
        fixture.system.fail([.sync], at: 1, with: SQLITE_FULL)
        fixture.system.hang([.sync])
        let ticket = journal.append(fixture.attempt())
        try report(fixture, "a slow disk and nothing else") { $0 == [Self.slow] }
        fixture.system.answer()
        try report(fixture, "a full disk") { $0.contains(.failing(StorageError(.diskFull, ""))) }
        #expect(!fixture.incidents.withLock { $0 }.contains(.recovered))
        fixture.system.heal()
        #expect(ticket.durable())
        try report(fixture, "the disk to have recovered") { $0.contains(.recovered) }
    }

    /// Also what is asked of the disk at the very end, after the last record.
    @Test(arguments: [FaultyFileSystem.Call.sync, .write]) func aStopDoesNotWaitForAHangingDisk(call: FaultyFileSystem.Call) throws {
        let fixture = try fixture()
        let (journal, _) = try fixture.open()
        fixture.system.hang([call])
        let ticket = journal.append(fixture.attempt())
        #expect(journal.close() == .abandoned)
        #expect(journal.close() == .abandoned)
        #expect(fixture.incidents.withLock { $0.filter { $0 == .abandoned(1) } }.count == 1)
        #expect(journal.append(fixture.attempt()).state == .refused(StorageError(.closed, "")))
        #expect(throws: StorageError(.inUse, "")) { try fixture.open() }
        fixture.system.answer()
        #expect(ticket.durable(), "what was left behind goes on when the disk answers")
    }

    @Test func anOrderlyStopIsComplete() throws {
        let fixture = try JournalFixture()
        let (journal, _) = try fixture.open()
        #expect(journal.append(fixture.attempt()).durable())
        #expect(journal.close() == .complete)
        #expect(journal.close() == .complete)
    }

    @Test(arguments: [
        (StorageError.Kind.diskFull, "df -h"), (.readOnly, "mount"), (.inputOutput, "dmesg"), (.slow, "dmesg"), (.busy, "fuser")
    ]) func aFailureSaysWhatToDo(kind: StorageError.Kind, command: String) {
        #expect(StorageError(kind, "It failed.").message.contains("`\(command)`"))
    }
}
