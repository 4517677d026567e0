import Cryptography
import Encoding
import Foundation
import Testing
import Waits

@testable import Evidence
@testable import Storage

/// What somebody can do with the anchor, which says what the ring has let go.
extension JournalAttackTests {
    /// Says that everything up to a record was let go.
    func forgeAnchor(_ sequence: UInt64, _ partition: JournalPartition = .main) throws {
        let hash = try #require(try records(partition).first { $0.sequence == sequence }).hash
        try sql("INSERT OR REPLACE INTO anchor VALUES ('\(partition.rawValue)', \(sequence), x'\(Hex.encode(hash))')")
    }

    /// Goes on with the journal as the gate does at its next start.
    func goOn(_ settings: JournalSettings = JournalSettings(failureWindowMilliseconds: 0), records: Int = 1) throws {
        let key = key
        let (journal, _) = try Journal.open(
            directory: folder, boot: [2], settings: settings, time: { Self.time }, checkpoint: { Self.sign($0, key) })
        for number in 0..<records {
            let ticket = journal.append(JournalEntry(kind: .service, time: Self.time, reason: "n\(number)"))
            guard case .durable = ticket.wait(milliseconds: WaitLimit.milliseconds) else { preconditionFailure("a disk in order") }
        }
        journal.close()
    }

    /// The walk begins behind the anchor: an edited record before it would be looked at by nobody, and shown as granted.
    @Test(arguments: [UInt64(5), 10, 40]) func aForgedAnchorHidesNoEditedRecord(anchor: UInt64) throws {
        let body = Self.renamed(try records()[4].body)
        try sql("UPDATE main_record SET body = x'\(Hex.encode(body))' WHERE sequence = 5")
        #expect(try audit(kept) == .broken(5))
        try forgeAnchor(anchor)
        #expect(try audit(kept) == .broken(1), "the rows that are there")
    }

    @Test func anAnchorAtTheVeryEndHidesNothing() throws {
        try forgeAnchor(try #require(try records().last).sequence)
        #expect(try audit() == .broken(1))
    }

    @Test func aRecordWithANumberBelowTheFirstIsFound() throws {
        for number in [0, -5] {
            try sql("INSERT INTO main_record SELECT \(number), kind, wall, lane, reason, body, hash FROM main_record WHERE sequence = 7")
            #expect(try audit() == .broken(0))
            try sql("DELETE FROM main_record WHERE sequence = \(number)")
        }
    }

    @Test func anAnchorBeforeTheFirstRecordIsNone() throws {
        try sql("INSERT INTO anchor VALUES ('main', 0, zeroblob(32))")
        #expect(throws: StorageError(.corrupt, "")) { try audit() }
    }

    @Test(arguments: JournalPartition.allCases) func tenRecordsDroppedOfARingThatNeverTurnedAreMissed(partition: JournalPartition) throws {
        try forgeAnchor(10, partition)
        try sql("DELETE FROM \(partition.table) WHERE sequence <= 10")
        #expect(try audit() == .faults([.droppedEarly]))
        #expect(try audit(last) == .faults([.droppedEarly, .droppedEarly]), "the one from outside says so, too")
    }

    /// The gate takes the file as it is, and signs what it finds; the checkpoints before tell.
    @Test func aGateThatWentOnFromAForgedAnchorSignsNoExcuse() throws {
        try forgeAnchor(10)
        try sql("DELETE FROM main_record WHERE sequence <= 10")
        try goOn()
        #expect(try audit() == .faults([.droppedEarly]))
    }

    /// Whoever drops all checkpoints, too, leaves fewer records than any ring keeps.
    @Test func anAnchorBehindAllCheckpointsLeavesTooLittle() throws {
        let end = try #require(try records().last).sequence
        try forgeAnchor(end)
        try sql("DELETE FROM main_record")
        #expect(try audit() == .faults([.droppedEarly]))
        try goOn()
        guard case .faults(let faults) = try audit() else {
            Issue.record("nobody noticed")
            return
        }
        #expect(Set(faults) == [.droppedEarly])
        #expect(try audit(kept) != .nothing)
    }

    @Test func aRingThatTurnsHolds() throws {
        let small = JournalSettings(maximumRecords: 32, maximumUnprovenRecords: 10, failureWindowMilliseconds: 0, checkpointRecords: 5)
        try goOn(small, records: 3)
        try goOn(small, records: 100)
        #expect(try records().count < 40)
        #expect(try audit() == .nothing)
        // And one that is made larger, or smaller.
        for most in [64, 16] {
            try goOn(JournalSettings(maximumRecords: most, maximumUnprovenRecords: 10, failureWindowMilliseconds: 0, checkpointRecords: 5), records: 40)
            #expect(try audit() == .nothing, "\(most)")
        }
    }

    @Test func aJournalThatGoesOnAfterADamagedOneHolds() throws {
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path))
        try goOn(records: 5)
        #expect(try #require(try records().first).sequence > 40)
        #expect(try audit() == .nothing)
        #expect(try audit(kept) == .faults([.setAside]), "what it stands for is in the file that was set aside")
        // But nothing that was there is excused by it.
        let anchor = try #require(try records().first).sequence + 2
        try forgeAnchor(anchor)
        try sql("DELETE FROM main_record WHERE sequence <= \(anchor)")
        #expect(try audit() != .nothing)
    }
}
