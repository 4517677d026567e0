import Encoding
import Testing

@testable import Storage

/// Attempts whose outcome never comes: whoever taps must neither fill the memory with them nor push what was
/// proven out of the journal.
@Suite struct OpenAttemptTests {
    func unknown(_ journal: Journal, _ partition: JournalPartition) throws -> [JournalEntry] {
        try journal.read(from: 1, limit: 10_000, filter: JournalFilter(partition: partition, reason: "outcome-unknown"))
            .map(\.entry)
    }

    /// How many outcomes these records stand for.
    func count(_ entries: [JournalEntry]) -> UInt64 {
        entries.map { $0.kind == .repeatedFailures ? $0.detail["count"]?.unsignedInteger ?? 0 : 1 }.reduce(0, +)
    }

    func abandon(_ number: Int, _ journal: Journal, _ fixture: JournalFixture, lane: String = "north") {
        for ticket in (0..<number).map({ _ in journal.append(fixture.attempt(lane)) }) { #expect(ticket.durable()) }
    }

    @Test func theyAreBoundedInService() throws {
        let fixture = try JournalFixture()
        let (journal, _) = try fixture.open()
        abandon(1000, journal, fixture)
        journal.close()
        let (again, recovery) = try fixture.open()
        #expect(recovery.closedAttempts == JournalQueue.mostOpenAttempts)
        #expect(try count(unknown(again, .unproven)) >= UInt64(1000 - JournalQueue.mostOpenAttempts))
        again.close()
        let (last, clean) = try fixture.open()
        #expect(clean.isClean)
        #expect(try count(unknown(last, .unproven)) == 999)
        #expect(try unknown(last, .unproven).count == 4, "each run tells the first and counts the others")
        #expect(try unknown(last, .main).count == 1)
    }

    @Test func anOutcomeMakesRoom() throws {
        let fixture = try JournalFixture()
        let (journal, _) = try fixture.open()
        for _ in 0..<(JournalQueue.mostOpenAttempts + 10) {
            let attempt = journal.append(fixture.attempt())
            #expect(journal.append(fixture.outcome(of: attempt.sequence)).durable())
        }
        journal.close()
        let (again, recovery) = try fixture.open()
        #expect(recovery.isClean)
        #expect(try unknown(again, .unproven).isEmpty)
    }

    /// Only the newest of a reader can have been on its way to a grant when the power went.
    @Test func theNewestOfEachReaderIsInTheMainChain() throws {
        let fixture = try JournalFixture()
        let (first, _) = try fixture.open()
        abandon(20, first, fixture, lane: "north")
        abandon(1, first, fixture, lane: "south")
        var other = fixture.attempt("north")
        other.reader = "second"
        #expect(first.append(other).durable())
        first.close()

        let (second, recovery) = try fixture.open()
        #expect(recovery.closedAttempts == 22)
        second.close()
        let (third, clean) = try fixture.open()
        #expect(clean.isClean)
        #expect(try unknown(third, .main).map(\.attempt) == [20, 21, 22])
        #expect(try count(unknown(third, .unproven)) == 19)
        #expect(try third.verify() == .intact(first: 1, head: third.head))
        guard case .intact = try third.verify(.unproven) else {
            Issue.record("the unproven chain is broken")
            return
        }
    }

    @Test func strangersPushNothingProvenOut() throws {
        let fixture = try JournalFixture(settings: JournalSettings(maximumRecords: 20))
        for round in 0..<5 {
            let (journal, _) = try fixture.open()
            if round == 0 { #expect(journal.append(fixture.outcome(of: nil, subject: "ada")).durable()) }
            abandon(200, journal, fixture)
            journal.close()
        }
        let (journal, _) = try fixture.open()
        #expect(journal.append(fixture.service("after")).durable())
        #expect(try journal.read(from: 1, limit: 1).first?.entry.subject == "ada")
    }
}
