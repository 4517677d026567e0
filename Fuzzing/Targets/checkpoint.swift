import Cryptography
import Encoding
import Evidence

/// A checkpoint made by anybody: read in one way, believed by nobody, and no place it names stops the review.
func fuzz(_ input: [UInt8]) {
    var review = CheckpointReview(trust: trust)
    let places: [ChainPlace] = [.letGo, .beyond, .hash([UInt8](repeating: 0, count: 32)), .hash([])]
    for (number, place) in places.enumerated() {
        review.examine(input, at: UInt64(number), main: place, unproven: places[places.count - 1 - number])
    }
    precondition(review.count == 0 && review.findings.count == places.count, "nobody signed this with the key that is believed")
    guard let signed = try? SignedCheckpoint(parsing: input) else { return }
    precondition(signed.raw == input && input.count <= SignedCheckpoint.longest, "a checkpoint has one form and its bounds")
    precondition(!signed.isSigned(by: trust.keys[0]), "nobody has the other half of the key")
    let checkpoint = signed.checkpoint
    precondition(checkpoint.main.first <= checkpoint.main.sequence + 1 && checkpoint.main.hash.count == 32, "an extent is one")
    let chain = ChainResult(first: 1, last: checkpoint.main.sequence, hash: checkpoint.main.hash)
    for place in places {
        let outside = OutsideComparison(signed, trust: trust, main: place, unproven: place)
        precondition(outside.fault != nil, "a comparison with what nobody signed fails")
        let verdict = JournalVerdict(main: chain, unproven: chain, review: review, outside: outside, isKeyGiven: false)
        precondition(!verdict.holds, "so does the verdict")
        for line in verdict.lines + verdict.limits {
            precondition(!line.utf8.contains { $0 < 0x20 || $0 == 0x7F }, "a sentence is one line")
        }
        _ = verdict.json
    }
}

/// A key of which nobody has the other half here.
private let trust: CheckpointTrust = {
    guard let key = try? SigningKey(rawPrivate: [UInt8](repeating: 0x2A, count: 32), curve: .p256).publicKey else {
        preconditionFailure("the key is good")
    }
    return CheckpointTrust(keys: [key])
}()
