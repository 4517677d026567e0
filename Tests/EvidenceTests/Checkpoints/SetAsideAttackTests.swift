import Encoding
import Testing
import Waits

@testable import Evidence
@testable import Storage

/// What somebody can do with a record that says that a damaged journal was set aside.
extension JournalAttackTests {
    /// Writes the record that a gate writes after a damaged file, without one.
    func forgeSetAside(_ detail: [String: CBOR]) throws {
        let key = key
        let (journal, _) = try Journal.open(
            directory: folder, boot: [2], settings: JournalSettings(failureWindowMilliseconds: 0), time: { Self.time },
            checkpoint: { Self.sign($0, key) })
        let ticket = journal.append(JournalEntry(kind: .journal, time: Self.time, reason: "journal-set-aside", detail: detail))
        guard case .durable = ticket.wait(milliseconds: WaitLimit.milliseconds) else { preconditionFailure("a disk in order") }
        journal.close()
    }

    /// The anchor has the very hash that the checkpoint names.
    @Test(arguments: [true, false]) func aForgedRecordOfAJournalSetAsideExcusesNoCheckpoint(isUnprovenNamed: Bool) throws {
        let extent = last.checkpoint.main
        try forgeAnchor(extent.sequence)
        try sql("DELETE FROM main_record")
        var detail: [String: CBOR] = ["continued-from": .unsigned(extent.sequence)]
        if isUnprovenNamed { detail["continued-unproven"] = .unsigned(last.checkpoint.unproven.sequence) }
        try forgeSetAside(detail)
        #expect(try audit(last) == .faults([.setAside]))
        #expect(try audit(kept) == .faults([.setAside]), "also one from long before")
    }

    /// A file that is set aside takes its checkpoints along: those that are there have no excuse.
    @Test(arguments: [true, false]) func aForgedRecordOfAJournalSetAsideExcusesNoChainOfItsOwn(isUnprovenNamed: Bool) throws {
        let end = try #require(try records(.unproven).last).sequence
        try forgeAnchor(end, .unproven)
        try sql("DELETE FROM unproven_record")
        var detail: [String: CBOR] = ["continued-from": .unsigned(last.checkpoint.main.sequence)]
        if isUnprovenNamed { detail["continued-unproven"] = .unsigned(end) }
        try forgeSetAside(detail)
        #expect(try audit() == .faults([.droppedEarly]))
    }

    @Test func aVerdictNamesWhenAJournalWasSetAsideAndWhere() throws {
        var review = CheckpointReview(trust: CheckpointTrust(keys: []))
        review.continued(ChainContinuation(sequence: 41, milliseconds: Self.time.wallMilliseconds, main: 40, unproven: 7))
        let chain = ChainResult(first: 41, last: 41, hash: [UInt8](repeating: 1, count: 32))
        let verdict = JournalVerdict(main: chain, unproven: nil, review: review, outside: nil, isKeyGiven: true)
        #expect(verdict.lines.contains { $0.contains("Record 41") && $0.contains("2026-01-01") && $0.contains("record 40") })
        #expect(verdict.limits.contains { $0.contains("set aside") })
    }
}
