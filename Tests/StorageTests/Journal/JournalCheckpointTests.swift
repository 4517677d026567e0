import CSQLite
import Encoding
import Testing
import Threads
import Waits

@testable import Storage

/// When a journal has checkpoints signed, and what of.
@Suite("A journal that signs") struct JournalCheckpointTests {
    /// What was given to be signed.
    final class Signer: Sendable {
        let reaches = Monitor<[JournalReach]>([])
        let threads = Monitor<Set<String>>([])

        func entry(_ reach: JournalReach) -> JournalEntry? {
            reaches.change { $0.append(reach) }
            return JournalEntry(kind: .checkpoint, time: JournalTime(wallMilliseconds: 0, trust: .untrusted, monotonicMilliseconds: 0), evidence: [1])
        }

        /// Waits until so many were signed.
        func wait(for count: Int) throws -> [JournalReach] {
            try reaches.wait(for: "checkpoint \(count)") { $0.count >= count ? $0 : nil }
        }
    }

    static func open(_ fixture: JournalFixture, _ signer: Signer) throws -> Journal {
        try Journal.open(
            directory: fixture.folder.path, boot: fixture.boot, settings: fixture.settings, fileSystem: fixture.system.name,
            time: { fixture.now }, checkpoint: { signer.entry($0) }, onIncident: { _ in }).journal
    }

    static func checkpoints(_ journal: Journal) throws -> [UInt64] {
        try journal.read(from: 1, limit: 10_000, filter: JournalFilter(kind: JournalKind.checkpoint.rawValue)).map(\.sequence)
    }

    @Test func afterSoManyRecords() throws {
        let fixture = try JournalFixture(settings: JournalSettings(checkpointRecords: 20)), signer = Signer()
        let journal = try Self.open(fixture, signer)
        for _ in 1...20 { #expect(journal.append(fixture.service("x")).durable()) }
        let first = try #require(try signer.wait(for: 1).first)
        #expect(first.main.head.sequence == 20 && first.main.first == 1 && first.unproven.head == .none)
        #expect(try journal.place(of: 20, in: .main) == .hash(first.main.head.hash))
        for _ in 1...20 { #expect(journal.append(fixture.attempt()).durable()) }
        let second = try signer.wait(for: 2)[1]
        #expect(second.unproven.head.sequence >= 19 && second.main.head.sequence >= 20)
        journal.close()
    }

    @Test func soLongAfterTheFirstRecord() throws {
        let fixture = try JournalFixture(settings: JournalSettings(checkpointMilliseconds: 30)), signer = Signer()
        let journal = try Self.open(fixture, signer)
        #expect(journal.append(fixture.service("x")).durable())
        #expect(try signer.wait(for: 1)[0].main.head.sequence == 1)
        journal.close()
    }

    @Test func atTheStopAndNotTwice() throws {
        let fixture = try JournalFixture(), signer = Signer()
        let journal = try Self.open(fixture, signer)
        #expect(journal.append(fixture.service("x")).durable())
        journal.close()
        #expect(signer.reaches.withLock { $0.map(\.main.head.sequence) } == [1])
        #expect(journal.head.sequence == 2)
        let again = try Self.open(fixture, signer)
        #expect(try Self.checkpoints(again) == [2])
        #expect(again.append(fixture.service("y")).durable())
        #expect(signer.reaches.withLock { $0.count } == 1, "a run that ended in order begins without one")
        again.close()
        #expect(signer.reaches.withLock { $0.map(\.main.head.sequence) } == [1, 3])
    }

    @Test func afterAnEndThatWasNone() throws {
        let fixture = try JournalFixture(), signer = Signer()
        let unsigned = try fixture.open().journal
        #expect(unsigned.append(fixture.service("x")).durable())
        unsigned.close()
        let journal = try Self.open(fixture, signer)
        #expect(try signer.wait(for: 1)[0].main.head.sequence == 1)
        journal.close()
    }

    @Test func whenSomebodyAsks() throws {
        let fixture = try JournalFixture(), signer = Signer()
        let journal = try Self.open(fixture, signer)
        #expect(journal.append(fixture.service("x")).durable())
        let made = try #require(journal.checkpoint())
        #expect(made.ticket.settled() == .durable(sequence: 2, head: journal.head))
        #expect(try Self.checkpoints(journal) == [2])
        #expect(try fixture.checkpointWithoutSigner(journal) == nil)
        journal.close()
    }

    @Test func aDiskThatFailsKeepsTheLastOneForTheNextStart() throws {
        let fixture = try JournalFixture(), signer = Signer()
        let journal = try Self.open(fixture, signer)
        #expect(journal.append(fixture.service("x")).durable())
        fixture.system.fail([.write], at: 1, with: SQLITE_FULL)
        journal.close()
        _ = fixture.system.heal()
        let again = try Self.open(fixture, signer)
        #expect(try signer.wait(for: 2).last?.main.head.sequence == 1)
        again.close()
        guard case .intact(first: 1, _) = try fixture.open().journal.verify() else {
            Issue.record("the chain is broken")
            return
        }
    }

    @Test func aWalkHandsThemOver() throws {
        let fixture = try JournalFixture(), signer = Signer()
        let journal = try Self.open(fixture, signer)
        for _ in 1...250 {
            #expect(journal.append(fixture.service("x")).durable())
            #expect(try #require(journal.checkpoint()).ticket.durable())
        }
        var found: [UInt64] = [], position: JournalHead?, stretches = 0
        while true {
            let walk = try journal.walk(.main, after: position, limit: 5000)
            found += walk.checkpoints.map(\.sequence)
            stretches += 1
            guard case .intact(_, let head) = walk.found else { break }
            position = head
            if walk.isAtEnd { break }
        }
        #expect(found == (1...250).map { UInt64(2 * $0) })
        #expect(stretches >= 3, "an answer has its bounds")
        guard case .intact(first: 1, let head) = try journal.verify() else {
            Issue.record("the chain is broken")
            return
        }
        #expect(head == journal.head)
        journal.close()
    }
}

extension JournalFixture {
    /// A journal that signs nothing makes no checkpoint.
    fileprivate func checkpointWithoutSigner(_ journal: Journal) throws -> UInt64? {
        journal.close()
        let (unsigned, _) = try open()
        defer { unsigned.close() }
        return unsigned.checkpoint()?.ticket.sequence
    }
}
