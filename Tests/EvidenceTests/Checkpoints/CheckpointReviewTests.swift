import Cryptography
import Testing

@testable import Evidence

/// Checkpoints in a chain, held against it.
@Suite("Checkpoints in a chain") struct CheckpointReviewTests {
    let key: SigningKey

    init() throws { key = try SigningKey.generate(.p256) }

    static func hash(_ sequence: UInt64) -> [UInt8] { [UInt8](repeating: UInt8(sequence % 251), count: 32) }

    func checkpoint(_ main: UInt64, _ unproven: UInt64 = 0) throws -> [UInt8] {
        try SignedCheckpoint.sign(
            Checkpoint(site: "s", gate: "g", milliseconds: 0, clock: .synchronised,
                       main: ChainExtent(first: 1, sequence: main, hash: Self.hash(main)),
                       unproven: ChainExtent(first: 1, sequence: unproven, hash: Self.hash(unproven))), key: key).raw
    }

    func review() -> CheckpointReview { CheckpointReview(trust: CheckpointTrust(keys: [key.publicKey], site: "s", gate: "g")) }

    @Test func thoseThatHoldCoverWhatTheyName() throws {
        var review = review()
        review.examine(try checkpoint(10, 3), at: 12, main: .hash(Self.hash(10)), unproven: .hash(Self.hash(3)))
        review.examine(try checkpoint(40, 3), at: 41, main: .hash(Self.hash(40)), unproven: .letGo)
        #expect(review.holds && review.count == 2 && review.covered == 40 && review.coveredUnproven == 3)
        #expect(review.longestGap == 28, "records 13 to 40")
    }

    /// Whoever may write to the journal must not make the time without checkpoints look short.
    @Test func onlyACheckpointThatHoldsEndsAGap() throws {
        var review = review()
        let nothing = ChainPlace.hash(Self.hash(0))
        review.examine([], at: 2, main: .beyond, unproven: .beyond)
        review.examine(try checkpoint(10), at: 11, main: .hash(Self.hash(10)), unproven: nothing)
        review.examine([], at: 20, main: .beyond, unproven: .beyond)
        review.examine(try checkpoint(29), at: 30, main: .hash(Self.hash(28)), unproven: nothing)
        review.examine(try checkpoint(49), at: 50, main: .hash(Self.hash(49)), unproven: nothing)
        #expect(review.findings.map(\.fault) == [.unreadable, .unreadable, .rewritten])
        #expect(review.longestGap == 38, "records 12 to 49")
    }

    @Test func whatTheRingHasLetGoCannotBeCompared() throws {
        var review = review()
        review.examine(try checkpoint(10), at: 12, main: .letGo, unproven: .letGo)
        #expect(review.holds && review.count == 1)
    }

    @Test func eachFaultIsFound() throws {
        func fault(_ bytes: [UInt8], at sequence: UInt64, _ main: ChainPlace, _ unproven: ChainPlace = .hash(Self.hash(0))) -> CheckpointFault? {
            var review = review()
            review.examine(bytes, at: sequence, main: main, unproven: unproven)
            #expect(review.count == 0 && review.covered == 0)
            return review.findings.first?.fault
        }
        let good = ChainPlace.hash(Self.hash(10))
        #expect(fault([], at: 12, good) == .unreadable)
        #expect(fault(try checkpoint(10), at: 12, .hash(Self.hash(11))) == .rewritten)
        #expect(fault(try checkpoint(10), at: 12, .beyond) == .cut)
        #expect(fault(try checkpoint(10), at: 10, good) == .misplaced)
        #expect(fault(try checkpoint(10, 5), at: 12, good, .hash(Self.hash(6))) == .rewritten)
        #expect(fault(try checkpoint(10, 5), at: 12, good, .beyond) == .cut)
    }

    @Test func anOlderOneCannotComeLater() throws {
        var review = review()
        let newer = try checkpoint(20, 4), older = try checkpoint(10, 2)
        review.examine(newer, at: 21, main: .hash(Self.hash(20)), unproven: .hash(Self.hash(4)))
        review.examine(older, at: 22, main: .hash(Self.hash(10)), unproven: .hash(Self.hash(2)))
        #expect(review.findings == [CheckpointReview.Finding(sequence: 22, fault: .goesBack)])
        #expect(review.covered == 20)
    }

    @Test func findingsDoNotFillMemory() {
        var review = review()
        for sequence in 1...UInt64(CheckpointReview.mostFindings + 5) { review.examine([], at: sequence, main: .beyond, unproven: .beyond) }
        #expect(review.findings.count == CheckpointReview.mostFindings)
        #expect(review.findings.first?.sequence == 1)
    }

    @Test func theVerdictSaysWhatCouldNotBeFound() throws {
        let chain = ChainResult(first: 1, last: 50, hash: Self.hash(50)), other = ChainResult(first: 1, last: 0, hash: Self.hash(0))
        var review = review()
        review.examine(try checkpoint(40), at: 41, main: .hash(Self.hash(40)), unproven: .hash(Self.hash(0)))
        let alone = JournalVerdict(main: chain, unproven: other, review: review, outside: nil, isKeyGiven: false)
        #expect(alone.holds && alone.limits.count == 3)
        #expect(alone.limits[1].contains("from 41 to 50"))
        let signed = try SignedCheckpoint(parsing: checkpoint(50))
        let outside = OutsideComparison(signed, trust: CheckpointTrust(keys: [key.publicKey]), main: .hash(Self.hash(50)), unproven: .hash(Self.hash(0)))
        #expect(JournalVerdict(main: chain, unproven: other, review: review, outside: outside, isKeyGiven: true).limits.isEmpty)
    }
}
