import Testing
import Waits

@testable import Evidence
@testable import Storage

/// One exchange, told of twice: a grant that never was, made of one that was, by somebody with the audit key or in the file of a
/// gate that goes on from it.
extension JournalAttackTests {
    private func append(_ transcripts: [[UInt8]], attempt begun: [UInt8] = [], proven: Bool = true) throws {
        let key = key
        let (journal, _) = try Journal.open(
            directory: folder, boot: [3], settings: JournalSettings(failureWindowMilliseconds: 0), time: { Self.time }, checkpoint: { Self.sign($0, key) })
        for transcript in transcripts {
            let attempt = journal.append(JournalEntry(
                kind: .attempt, time: Self.time, lane: "entry", reader: "r", carrier: .nfc, transcriptHash: begun))
            let outcome = journal.append(JournalEntry(
                kind: .outcome, time: Self.time, lane: "entry", transcriptHash: transcript, attempt: attempt.sequence, subject: "anna",
                reason: "granted", isProven: proven))
            guard case .durable = outcome.wait(milliseconds: WaitLimit.milliseconds) else { preconditionFailure("a disk in order") }
        }
        journal.close()
    }

    @Test func anExchangeThatIsToldOfTwiceIsFound() throws {
        let one = [UInt8](repeating: 1, count: 32), other = [UInt8](repeating: 2, count: 32)
        try append([one, other])
        #expect(try audit() == .nothing)
        try append([[UInt8](repeating: 3, count: 32), one])
        #expect(try audit() == .faults([.repeated]))
        try append([other])
        #expect(try audit() == .faults([.repeated, .repeated]))
    }

    /// Of the phone's signature (r, s) anybody makes (r, n - s), which holds as well, and leads to another TH_4: the exchange began the same.
    @Test func aGrantTwiceByTheOtherFormOfItsSignatureIsFound() throws {
        let begun = [UInt8](repeating: 9, count: 32)
        try append([[UInt8](repeating: 1, count: 32)], attempt: begun)
        #expect(try audit() == .nothing)
        try append([[UInt8](repeating: 2, count: 32)], attempt: begun)
        #expect(try audit() == .faults([.repeated]))
    }

    @Test func theRecordThatCameLaterIsNamed() {
        var review = TranscriptReview()
        for (start, sequence) in [(7, 1), (8, 2), (7, 5), (9, 6), (7, 9)] as [(UInt64, UInt64)] { review.passed(start, at: sequence) }
        #expect(review.repeated == [5, 9])
        // Told of twice by whoever asks, it is the same record.
        review.passed(8, at: 2)
        #expect(review.repeated == [5, 9])
    }

    /// A card has no exchange, and shorter than TH_4 is none.
    @Test func whatHasNoExchangeIsNotCompared() throws {
        try append([[], [], [1], [1]])
        #expect(try audit() == .nothing)
    }
}
