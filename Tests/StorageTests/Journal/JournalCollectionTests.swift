import Foundation
import Encoding
import Testing
import Threads

@testable import Storage

/// A ring that somebody collects (A6).
@Suite("Collecting a journal") struct JournalCollectionTests {
    /// A ring of 100 records.
    static func fixture(collects: Bool = true, keeps: Bool = false) throws -> JournalFixture {
        try JournalFixture(settings: JournalSettings(maximumRecords: 100, collects: collects, keepsUncollected: keeps))
    }

    static func fill(_ journal: Journal, _ fixture: JournalFixture, _ count: Int) {
        for _ in 0..<count { #expect(journal.append(fixture.service("x")).durable()) }
    }

    static func states(_ fixture: JournalFixture) -> [JournalCollectionState] {
        fixture.incidents.withLock { $0.compactMap { if case .collection(let state) = $0 { state } else { nil } } }
    }

    @Test func nobodyCollectsAndNothingIsSaid() throws {
        let fixture = try Self.fixture(collects: false), journal = try fixture.open().journal
        Self.fill(journal, fixture, 300)
        #expect(Self.states(fixture).isEmpty && journal.status.collectionState == .inOrder)
        #expect(journal.status.collection == .none)
        journal.close()
    }

    @Test func itIsSaidAtNineTenthsOnceAndAgainWhenFull() throws {
        let fixture = try Self.fixture(), journal = try fixture.open().journal
        Self.fill(journal, fixture, 89)
        #expect(journal.status.collectionState == .inOrder && Self.states(fixture).isEmpty)
        Self.fill(journal, fixture, 1)
        // The record that says so is one more, and takes its own commit.
        #expect(journal.append(fixture.service("after")).durable())
        #expect(Self.states(fixture) == [.due])
        Self.fill(journal, fixture, 20)
        #expect(journal.status.collectionState == .full)
        #expect(Self.states(fixture) == [.due, .full])
        #expect(try journal.read(from: 1, limit: 9, filter: JournalFilter(reason: "audit-collect-due")).count == 1)
        #expect(try journal.read(from: 1, limit: 9, filter: JournalFilter(reason: "journal-full")).count == 1)
        journal.close()
    }

    @Test func whatWasCollectedMakesRoom() throws {
        let fixture = try Self.fixture(), journal = try fixture.open().journal
        Self.fill(journal, fixture, 95)
        #expect(journal.append(JournalEntry(collectedThrough: 90, at: fixture.now)).durable())
        let status = journal.status
        #expect(status.collection == JournalCollection(through: 90, overwritten: 0))
        #expect(status.uncollected == status.head.sequence - 90)
        Self.fill(journal, fixture, 1)
        #expect(Self.states(fixture).last == .inOrder)
        // Kept across a restart.
        journal.close()
        let again = try fixture.open().journal
        #expect(again.status.collection.through == 90)
        again.close()
    }

    @Test func whatGoesUncollectedIsCounted() throws {
        let fixture = try Self.fixture(), journal = try fixture.open().journal
        Self.fill(journal, fixture, 250)
        let status = journal.status
        #expect(status.collection.overwritten == status.firstSequence - 1 && status.collection.overwritten > 100)
        #expect(journal.append(JournalEntry(collectedThrough: status.head.sequence, at: fixture.now)).durable())
        #expect(journal.status.collection.overwritten == 0)
        // What was collected may go.
        Self.fill(journal, fixture, 50)
        #expect(journal.status.collection.overwritten == 0)
        journal.close()
    }

    @Test func onlyWhatNobodyHadIsCounted() throws {
        let fixture = try Self.fixture(), journal = try fixture.open().journal
        Self.fill(journal, fixture, 100)
        #expect(journal.append(JournalEntry(collectedThrough: 60, at: fixture.now)).durable())
        Self.fill(journal, fixture, 100)
        #expect(journal.status.collection.overwritten == journal.status.firstSequence - 1 - 60)
        journal.close()
    }

    @Test func whereItMustBeKeptAnotherTenthIsThere() throws {
        let fixture = try Self.fixture(keeps: true), journal = try fixture.open().journal
        Self.fill(journal, fixture, 105)
        #expect(journal.status.firstSequence == 1 && journal.status.collection.overwritten == 0)
        Self.fill(journal, fixture, 100)
        let status = journal.status
        #expect(status.count >= 110 && status.count <= 117, "a tenth more, and what goes at once")
        #expect(status.collection.overwritten == status.firstSequence - 1)
        // Once it was collected, the ring is as large as it should be.
        #expect(journal.append(JournalEntry(collectedThrough: status.head.sequence, at: fixture.now)).durable())
        Self.fill(journal, fixture, 20)
        #expect(journal.status.count <= 107)
        journal.close()
    }

    @Test func aNewFileInPlaceOfADamagedOneKnowsWhatWasCollected() throws {
        let fixture = try Self.fixture(), journal = try fixture.open().journal
        Self.fill(journal, fixture, 50)
        #expect(journal.append(JournalEntry(collectedThrough: 40, at: fixture.now)).durable())
        try fixture.folder.remove("journal.db")
        Self.fill(journal, fixture, 1)
        #expect(journal.status.setAside != nil)
        #expect(journal.status.collection.through == 40)
        #expect(journal.status.uncollected == UInt64(journal.status.count), "what was in the damaged file is in no ring any more")
        journal.close()
        #expect(try fixture.open().journal.status.collection.through == 40)
    }
}

extension TemporaryFolder {
    fileprivate func remove(_ name: String) throws {
        #expect(rename(self.path(name), self.path(name + ".gone")) == 0)
    }
}
