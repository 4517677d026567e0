import Encoding
import Invitations

/// No file stops the office. What is read is written and read again as the same.
func fuzz(_ input: [UInt8]) {
    guard let queue = RevokedQueue(json: input) else { return }
    precondition(queue.revoked.allSatisfy { (1...64).contains($0.cti.count) && $0.until >= 0 }, "tokens that can be")
    // Small letters and one form of each number: what was written another way may be longer than a file may be.
    guard queue.json.canonical.count <= RevokedQueue.longest else { return }
    precondition(RevokedQueue(json: queue.json.canonical) == queue, "the same queue")
}
