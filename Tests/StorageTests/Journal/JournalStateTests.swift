import Credentials
import CSQLite
import Encoding
import Testing

@testable import Storage

/// What records change in the state: together with the record that tells it, or not at all.
@Suite("State with its record") struct JournalStateTests {
    static let ada = PersonDigest(subject: "ada")
    static let ben = PersonDigest(subject: "ben")
    static let mode = StateKey(.laneMode, "main")

    func entry(_ fixture: JournalFixture, _ reason: String, _ effects: [StateEffect]) -> JournalEntry {
        var entry = fixture.service(reason)
        entry.effects = effects
        return entry
    }

    func present(_ person: PersonDigest, _ zone: String, _ since: Int64) -> StateEffect {
        .present(Presence(person: person, zone: zone, since: since))
    }

    func presences(_ state: JournalState) -> Set<Presence> { Set(state.presences) }

    @Test func itIsThereAfterARestart() throws {
        let fixture = try JournalFixture()
        let (journal, recovery) = try fixture.open()
        #expect(recovery.state == .none)
        #expect(journal.append(entry(fixture, "in", [present(Self.ada, "hall", 10), .set(Self.mode, ["mode": "free"])])).durable())
        #expect(journal.append(entry(fixture, "again", [present(Self.ada, "hall", 20), present(Self.ben, "hall", 15)])).durable())
        journal.close()
        let state = try fixture.open().recovery.state
        #expect(presences(state) == [
            Presence(person: Self.ada, zone: "hall", since: 20), Presence(person: Self.ben, zone: "hall", since: 15)
        ])
        #expect(state.values == [Self.mode: ["mode": "free"]])
    }

    @Test func whatIsTakenBackIsGone() throws {
        let fixture = try JournalFixture()
        let journal = try fixture.open().journal
        let before: [StateEffect] = [
            present(Self.ada, "hall", 1), present(Self.ada, "lab", 2), present(Self.ben, "hall", 3), present(Self.ben, "lab", 4),
            .set(Self.mode, 1), .set(StateKey(.armed, "main"), false)
        ]
        #expect(journal.append(entry(fixture, "before", before)).durable())
        #expect(journal.append(entry(fixture, "out", [.absent(Self.ada, zone: "lab"), .clear(Self.mode), .emptied(zone: "hall", before: 3)])).durable())
        journal.close()
        let (again, recovery) = try fixture.open()
        #expect(presences(recovery.state) == [
            Presence(person: Self.ben, zone: "hall", since: 3), Presence(person: Self.ben, zone: "lab", since: 4)
        ])
        #expect(recovery.state.values == [StateKey(.armed, "main"): false])
        #expect(again.append(entry(fixture, "reset", [.emptied(zone: nil, before: .max)])).durable())
        again.close()
        #expect(try fixture.open().recovery.state.presences.isEmpty)
    }

    @Test func whoMayHaveLeftUnseenIsToldApart() throws {
        let fixture = try JournalFixture()
        let journal = try fixture.open().journal
        #expect(journal.append(entry(fixture, "in", [present(Self.ada, "hall", 10), present(Self.ben, "lab", 10)])).durable())
        #expect(journal.append(entry(fixture, "open", [.doubted(zone: "hall"), present(Self.ben, "hall", 5)])).durable())
        #expect(journal.append(entry(fixture, "again", [.doubted(zone: "lab"), .doubted(zone: "lab")])).durable())
        journal.close()
        let (again, recovery) = try fixture.open()
        #expect(presences(recovery.state) == [
            Presence(person: Self.ada, zone: "hall", since: 10, isSure: false), Presence(person: Self.ben, zone: "hall", since: 5),
            Presence(person: Self.ben, zone: "lab", since: 10, isSure: false)
        ])
        #expect(again.append(entry(fixture, "reset", [.emptied(zone: "hall", before: 6)] + recovery.state.effects.suffix(0))).durable())
        again.close()
        #expect(presences(try fixture.open().recovery.state).map(\.since).sorted() == [10, 10])
    }

    /// Bodies and hashes are what they were before there was any state.
    @Test func theRecordDoesNotSayIt() throws {
        let plain = try JournalFixture(), stateful = try JournalFixture()
        let one = try plain.open().journal, other = try stateful.open().journal
        #expect(one.append(plain.service("same")).durable())
        #expect(other.append(entry(stateful, "same", [present(Self.ada, "hall", 1)])).durable())
        #expect(one.head == other.head)
        #expect(try other.read(from: 1, limit: 1).first?.entry.effects == [])
    }

    /// The n-th write or sync fails, for every n: when the record is there, so is what it changes, and the other way round.
    @Test(arguments: [FaultyFileSystem.Call.write, .sync]) func recordAndStateStayTogether(call: FaultyFileSystem.Call) throws {
        var number = 1
        while true {
            let fixture = try JournalFixture()
            let snapshots = Snapshots(of: fixture.folder)
            let journal = try fixture.open().journal
            fixture.system.watchChanges { snapshots.copy() }
            fixture.system.fail([call], at: number, with: SQLITE_FULL)
            for turn in 1...3 as ClosedRange<Int64> {
                _ = journal.append(entry(fixture, "\(turn)", [present(Self.ada, "hall", turn), .set(Self.mode, CBOR(turn))])).settled()
            }
            snapshots.copy()
            let injected = fixture.system.heal()
            fixture.system.watchChanges(nil)
            journal.close()
            for copy in snapshots.copies {
                let clock = JournalTime(wallMilliseconds: 0, trust: .untrusted, monotonicMilliseconds: 0)
                let (opened, recovery) = try Journal.open(directory: copy.path, boot: [2], time: { clock })
                let newest = try opened.read(from: 1, limit: 99).last?.entry.reason
                #expect(recovery.state.presences.first.map { "\($0.since)" } == newest)
                #expect(recovery.state.values[Self.mode]?.integer.map { "\($0)" } == newest)
                opened.close()
            }
            if injected == 0 { break }
            number += 1
        }
        #expect(number > 1)
    }

    @Test func aJournalSetAsideForgetsIt() throws {
        let fixture = try JournalFixture()
        let journal = try fixture.open().journal
        #expect(journal.append(entry(fixture, "in", [present(Self.ada, "hall", 1)])).durable())
        journal.close()
        try fixture.folder.write(Array(repeating: 0xAA, count: 4096), to: "journal.db")
        let recovery = try fixture.open().recovery
        #expect(recovery.setAside != nil)
        #expect(recovery.isStateForgotten)
        #expect(recovery.state == .none)
    }

    /// The audit is not set aside for it; what can be read is kept, and stating it anew fixes the rest.
    @Test func rowsThatCannotBeUnderstoodAreCounted() throws {
        let fixture = try JournalFixture()
        let journal = try fixture.open().journal
        #expect(journal.append(entry(fixture, "in", [present(Self.ada, "hall", 1)])).durable())
        journal.close()
        let connection = try SQLiteConnection(path: fixture.folder.path("journal.db"), access: .readWrite, cacheKibibytes: 64)
        try connection.execute("INSERT INTO presence VALUES ('hall', x'0102', 5); INSERT INTO state VALUES ('armed', 'main', x'ff')")
        try connection.execute("INSERT INTO state VALUES ('of-a-newer-gate', 'main', x'01')")
        let (again, recovery) = try fixture.open()
        #expect(recovery.state.unreadable == 3)
        #expect(recovery.state.presences == [Presence(person: Self.ada, zone: "hall", since: 1)])
        #expect(recovery.isStateForgotten && recovery.setAside == nil)
        #expect(again.append(entry(fixture, "anew", recovery.state.effects)).durable())
        again.close()
        let fixed = try fixture.open().recovery
        #expect(fixed.state == JournalState(presences: recovery.state.presences))
        #expect(!fixed.isStateForgotten)
    }

    /// A failure that would only be counted is written when it changes the state.
    @Test func nothingThatChangesStateIsMerelyCounted() throws {
        let fixture = try JournalFixture()
        let journal = try fixture.open().journal
        for since in 1...3 as ClosedRange<Int64> {
            var failure = fixture.outcome(of: nil, reason: "bad-proof")
            failure.isProven = false
            failure.effects = [present(Self.ada, "hall", since)]
            #expect(journal.append(failure).durable())
        }
        #expect(try journal.read(from: 1, limit: 9, filter: JournalFilter(partition: .unproven)).count == 3)
        journal.close()
        #expect(try fixture.open().recovery.state.presences.first?.since == 3)
    }
}
